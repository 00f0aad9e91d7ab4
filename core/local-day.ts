import { dayMs } from "./durations.ts";

/** Formats the local day of a time: `2026-11-23`. */
export function localDay(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Number of local days from one time to another: 1 from late in the evening to the next morning. */
export function daysBetween(from: Date, to: Date): number {
  return (Date.parse(localDay(to)) - Date.parse(localDay(from))) / dayMs;
}

/** Noon of a local day, ISO 8601 in UTC: the day stays the same in time zones a few hours away. */
export function noonOf(day: string): string {
  return new Date(`${day}T12:00:00`).toISOString();
}
