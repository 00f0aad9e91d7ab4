/**
 * Billing period of a time: its calendar month in UTC.
 *
 * @returns `YYYY-MM`
 */
export function billingPeriodOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}
