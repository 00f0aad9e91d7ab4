import fc from "fast-check";
import { expect, test } from "vitest";
import { spacedTicks, timeAxis, valueAxis } from "../../../../renderer/ui/chart/chart-scale.ts";

test("rounds the ticks of an axis around all values", () => {
  const { from, to, ticks } = valueAxis([9.8, 10.6, 8.5]);
  expect(from).toBe(8);
  expect(to).toBe(11);
  expect(ticks).toEqual([8, 8.5, 9, 9.5, 10, 10.5, 11]);
});

test("contains all values, with few ticks", () => {
  const day = 86_400_000;
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 30 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 30 }),
      (values, days) => {
        const vertical = valueAxis(values);
        expect(values.every((value) => value > vertical.from && value < vertical.to)).toBe(true);
        expect(vertical.ticks.length).toBeLessThanOrEqual(9);
        const dates = days.map((each) => each * day);
        const horizontal = timeAxis(dates);
        expect(dates.every((at) => at > horizontal.from && at < horizontal.to)).toBe(true);
        expect(horizontal.ticks.length).toBeLessThanOrEqual(9);
        const isShort = Math.max(...dates) - Math.min(...dates) < 30 * day;
        expect(horizontal.ticks.every((at) => (isShort ? dates.includes(at) : new Date(at).getUTCDate() === 1))).toBe(
          true,
        );
      },
    ),
  );
});

test("labels dates within a month themselves, if their labels do not touch", () => {
  const at = (day: number) => Date.UTC(2026, 10, day, 9);
  expect([timeAxis([at(21)]).ticks, timeAxis([at(3), at(9)]).ticks, timeAxis([at(3), at(9), at(12)]).ticks]).toEqual([
    [at(21)],
    [at(3)],
    [at(3), at(12)],
  ]);
});

test("omits ticks evenly where labels would touch", () => {
  expect(spacedTicks([1, 2, 3, 4, 5], [0, 50, 100, 150, 200], 49)).toEqual([1, 2, 3, 4, 5]);
  expect(spacedTicks([1, 2, 3, 4, 5], [0, 50, 100, 150, 200], 51)).toEqual([1, 3, 5]);
  expect(spacedTicks([1, 2], [0, 20], 51)).toEqual([1]);
  expect(spacedTicks([], [], 51)).toEqual([]);
});
