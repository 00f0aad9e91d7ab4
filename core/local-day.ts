/** Local day of a time: `2026-11-23`. */
export function localDay(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Noon of a day here: the day stays the same wherever it is read a few hours off. */
export function noonOf(day: string): string {
  return new Date(`${day}T12:00:00`).toISOString();
}
