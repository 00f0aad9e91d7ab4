/** Dollars as people write them: `2`, `1.8`, `1.80`; no sign, no separators, no third decimal. */
const dollars = /^(\d{1,6})(?:\.(\d{1,2}))?$/;

/**
 * Reads an amount of dollars exactly, without going through fractions.
 *
 * @param text  such as `1.80`
 * @returns     whole cents, or null when the text is not such an amount
 */
export function centsOfDollars(text: string): number | null {
  const [, whole, decimals = ""] = dollars.exec(text) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
}

/** Whole cents as dollars with two decimals: 180 is `1.80`. */
export function dollarsOfCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
