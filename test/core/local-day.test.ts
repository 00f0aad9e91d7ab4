import { afterEach, expect, test } from "vitest";
import { daysBetween, localDay, noonOf } from "../../core/local-day.ts";

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test.each(["America/Los_Angeles", "Europe/Berlin", "Pacific/Kiritimati"])(
  "returns the local day in %s, unchanged after noonOf",
  (name) => {
    process.env["TZ"] = name;
    const lateHere = new Date(2026, 6, 27, 23, 30);
    const earlyHere = new Date(2026, 6, 27, 0, 30);
    expect([localDay(lateHere), localDay(earlyHere), localDay(new Date(noonOf("2026-07-27")))]).toEqual(
      Array.from({ length: 3 }, () => "2026-07-27"),
    );
  },
);

test("counts days between times by their dates, also when the clocks change", () => {
  process.env["TZ"] = "Europe/Berlin";
  expect([
    daysBetween(new Date(2026, 2, 28, 8), new Date(2026, 2, 28, 21)),
    daysBetween(new Date(2026, 2, 28, 23, 50), new Date(2026, 2, 29, 0, 10)),
    daysBetween(new Date(2026, 2, 28, 23), new Date(2026, 2, 30, 6)),
    daysBetween(new Date(2026, 9, 24, 6), new Date(2026, 9, 26, 6)),
  ]).toEqual([0, 1, 2, 2]);
});
