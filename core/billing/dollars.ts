/** Accepted forms: `2`, `1.8`, `1.80`; no sign, no thousands separators, at most two decimals. */
const dollars = /^(\d{1,6})(?:\.(\d{1,2}))?$/;

/** Parses dollars into whole cents without floating-point arithmetic; null for any other text. */
export function centsOfDollars(text: string): number | null {
  const [, whole, decimals = ""] = dollars.exec(text) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
}

/** Formats cents with two decimals: 180 is `1.80`. */
export function dollarsOfCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
