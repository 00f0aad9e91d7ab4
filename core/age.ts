import type { Say } from "./language/say.ts";

/** Maximum plausible age [years]; an earlier birth date is treated as a typing error. */
const maxLifeYears = 40;

/** Whether a birth date is plausible today. Both are calendar days, `2019-05-30`. */
export function isPossibleBirthDate(birthDate: string, today: string): boolean {
  const age = ageAt(birthDate, today);
  return birthDate <= today && age !== null && age.years <= maxLifeYears;
}

export type Age = { readonly years: number; readonly months: number };

/**
 * Age of an animal on a day. Both are calendar days, `2019-05-30`.
 *
 * @returns  null for a day before birth
 */
export function ageAt(birthDate: string, day: string): Age | null {
  const [birthYear = 0, birthMonth = 0, birthDay = 0] = parts(birthDate);
  const [year = 0, month = 0, dayOfMonth = 0] = parts(day);
  const months = (year - birthYear) * 12 + (month - birthMonth) - (dayOfMonth < birthDay ? 1 : 0);
  return months < 0 ? null : { years: Math.floor(months / 12), months: months % 12 };
}

/** Formats an age: `11 years 3 months`. Months are omitted for whole years. */
export function ageText({ years, months }: Age, say: Say): string {
  return [
    years > 0 ? say("studies.age_Y", { count: years }) : "",
    months > 0 || years === 0 ? say("studies.age_M", { count: months }) : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function parts(day: string): number[] {
  return day.split("-").map(Number);
}
