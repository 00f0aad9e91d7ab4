/** The number that a text stands for, decimal comma or point; null when it is none. */
export function numberOf(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** What stands in a field with another decimal sign; what is no number stays as it was typed. */
export function withDecimalSign(text: string, sign: string): string {
  return numberOf(text) === null ? text : text.trim().replace(/[.,]/, sign);
}
