/** The number that a text stands for, decimal comma or point; null when it is none. */
export function numberOf(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** A field's number with another decimal sign; other text is unchanged. */
export function withDecimalSign(text: string, sign: string): string {
  return numberOf(text) === null ? text : text.trim().replace(/[.,]/, sign);
}
