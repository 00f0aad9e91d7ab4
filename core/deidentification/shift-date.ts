import { dayMs } from "../durations.ts";

/** Shifts DICOM dates, separated by backslashes, and keeps the time of a DT; null if one is not a valid date. */
export function shiftDicomDate(value: string, days: number): string | null {
  const moved = value.split("\\").map((one) => shiftOne(one.trim(), days));
  return moved.includes(null) ? null : moved.join("\\");
}

export function shiftMoment(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs);
}

function shiftOne(value: string, days: number): string | null {
  if (value === "") return "";
  const parts = /^(?<year>\d{4})\.?(?<month>\d{2})\.?(?<day>\d{2})(?<rest>.*)$/.exec(value)?.groups;
  if (!parts) return null;
  const [year, month, day] = [parts["year"], parts["month"], parts["day"]].map(Number) as [number, number, number];
  const at = new Date(Date.UTC(year, month - 1, day));
  if (at.getUTCFullYear() !== year || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  return `${shiftMoment(at, days).toISOString().slice(0, 10).replaceAll("-", "")}${parts["rest"] ?? ""}`;
}
