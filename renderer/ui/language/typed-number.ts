export function numberOf(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** Replaces the decimal sign of a number; other text is unchanged. */
export function withDecimalSign(text: string, sign: string): string {
  return numberOf(text) === null ? text : text.trim().replace(/[.,]/, sign);
}
