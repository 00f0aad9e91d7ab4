/** A value that rounds to zero gets "±". `number` formats a number with the given number of decimals. */
export function signedNumber(
  value: number,
  decimals: number,
  number: (value: number, decimals: number) => string,
): string {
  const shown = Number(value.toFixed(decimals));
  return `${shown > 0 ? "+" : shown < 0 ? "−" : "±"}${number(Math.abs(shown), decimals)}`;
}
