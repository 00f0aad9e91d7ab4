/**
 * A number with its sign, as changes are written; what is shown as nought has "±".
 *
 * @param number  writes a number with so many decimals as the language does
 */
export function signedNumber(
  value: number,
  decimals: number,
  number: (value: number, decimals: number) => string,
): string {
  const shown = Number(value.toFixed(decimals));
  return `${shown > 0 ? "+" : shown < 0 ? "−" : "±"}${number(Math.abs(shown), decimals)}`;
}
