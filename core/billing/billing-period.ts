/** Returns the calendar month in UTC, `YYYY-MM`. */
export function billingPeriodOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}
