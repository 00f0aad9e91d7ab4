import { expect, test } from "vitest";
import { ageAt, isPossibleBirthDate } from "../../core/age.ts";

test("counts whole years and months up to the day", () => {
  expect([
    ageAt("2019-05-30", "2026-05-29"),
    ageAt("2019-05-30", "2026-05-30"),
    ageAt("2026-01-31", "2026-02-28"),
    ageAt("2026-03-01", "2026-02-28"),
  ]).toEqual([{ years: 6, months: 11 }, { years: 7, months: 0 }, { years: 0, months: 0 }, null]);
});

test("accepts birth dates up to today and within the maximum age", () => {
  const isPossible = (birthDate: string) => isPossibleBirthDate(birthDate, "2026-05-30");
  const dates = ["2026-05-30", "2026-05-31", "2030-01-01", "1986-05-30", "1885-05-30", "0020-05-30"];
  expect(dates.filter(isPossible)).toEqual(["2026-05-30", "1986-05-30"]);
});
