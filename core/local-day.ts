/** Formats the local day of a time: `2026-11-23`. */
export function localDay(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Noon of a local day, ISO 8601 in UTC: the day stays the same in time zones a few hours away. */
export function noonOf(day: string): string {
  return new Date(`${day}T12:00:00`).toISOString();
}
