/** Timezone Offset From UTC: `+0100`. */
const zoneForm = /^([+-])([01]\d|2[0-3])([0-5]\d)$/;

/** Converts a DICOM date to `2019-05-30`; null if invalid. Old files have dots between the parts. */
export function dicomDate(value: string | null): string | null {
  const [, year, month, day] = /^(\d{4})[.:-]?(\d{2})[.:-]?(\d{2})/.exec(value ?? "") ?? [];
  if (!year || !month || !day) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && Number(year) >= 1895 ? `${year}-${month}-${day}` : null;
}

/** Noon if the time is missing, null if the date is invalid. Without a valid zone, that of this computer counts. */
export function dicomMoment(date: string | null, time: string | null, zone: string | null): Date | null {
  const day = dicomDate(date);
  if (day === null) return null;
  const [, hours = "12", minutes = "00", seconds = "00"] =
    /^([01]\d|2[0-3]):?([0-5]\d)?:?([0-5]\d)?/.exec(time ?? "") ?? [];
  const [, sign, zoneHours, zoneMinutes] = zoneForm.exec(zone ?? "") ?? [];
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}${sign ? `${sign}${zoneHours}:${zoneMinutes}` : ""}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** Formats a moment as date and time of day in a zone, the inverse of `dicomMoment`. */
export function dicomDateTime(at: Date, zone: string | null): { readonly date: string; readonly time: string } {
  const [, sign, hours, minutes] = zoneForm.exec(zone ?? "") ?? [];
  const minutesFromUtc = sign ? Number(`${sign}1`) * (60 * Number(hours) + Number(minutes)) : -at.getTimezoneOffset();
  const digits = new Date(at.getTime() + 60_000 * minutesFromUtc).toISOString().replace(/[-:]/g, "");
  return { date: digits.slice(0, 8), time: digits.slice(9, 15) };
}
