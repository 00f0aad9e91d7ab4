import { expect, test } from "vitest";
import { ageAt } from "../../core/age.ts";

test("ages are whole years and months up to the day", () => {
  expect([
    ageAt("2019-05-30", "2026-05-29T10:00:00.000Z"),
    ageAt("2019-05-30", "2026-05-30"),
    ageAt("2026-01-31", "2026-02-28"),
    ageAt("2026-03-01", "2026-02-28"),
  ]).toEqual([{ years: 6, months: 11 }, { years: 7, months: 0 }, { years: 0, months: 0 }, null]);
});
