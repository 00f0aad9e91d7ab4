import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { monthMs } from "../../../../core/durations.ts";
import { rateOfChange, valueBefore } from "../../../../core/cardiac/reference/trend.ts";

const start = Date.UTC(2026, 0, 10);
const after = (months: number, value: number) => ({ atMs: start + months * monthMs, value });

describe("rateOfChange", () => {
  const day = 1 / 30.44;

  it("needs two values that are at least a day apart", () => {
    const rates = [[], [after(0, 10)], [after(0, 10), after(0, 11)], [after(0, 10), after(0.99 * day, 11)]].map(
      rateOfChange,
    );
    expect(rates).toEqual([null, null, null, null]);
    expect(rateOfChange([after(0, 10), after(day, 10.1)])?.perMonth).toBeCloseTo(3.044, 6);
  });

  it("takes what two films of one visit differ by for scatter, no rise", () => {
    const rate = rateOfChange([after(0, 10), after(0.01 * day, 10.6), after(3, 10.3), after(3 + 0.02 * day, 10.9)]);
    expect([rate?.isMarked, rate?.largestRise?.change.toFixed(2)]).toEqual([true, "0.90"]);
    expect(rateOfChange([after(0, 10), after(0.01 * day, 10.6), after(8, 10.3)])).toMatchObject({
      largestRise: null,
      isMarked: false,
    });
  });

  it("marks a displayed +0.5 v within six months, and not a day later", () => {
    const marked = (series: Parameters<typeof rateOfChange>[0]) => rateOfChange(series)?.isMarked;
    expect(marked([after(0, 10), after(6, 10.5)])).toBe(true);
    expect(marked([after(0, 10.1), after(6, 10.6)])).toBe(true);
    expect(marked([after(0, 10), after(6, 10.44)])).toBe(false);
    expect(marked([after(0, 10), after(6.04, 10.6)])).toBe(false);
    expect(marked([after(0, 11), after(3, 10)])).toBe(false);
  });

  it("finds the largest rise inside a longer series given in any order", () => {
    const rate = rateOfChange([after(12, 10.9), after(0, 10), after(8, 10.2), after(20, 11)]);
    expect(rate?.largestRise?.change).toBeCloseTo(0.7, 9);
    expect([rate?.largestRise?.fromMs, rate?.largestRise?.toMs]).toEqual([after(8, 0).atMs, after(12, 0).atMs]);
  });

  it("recovers the slope of any line", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 12 }),
        (slope, months) => {
          const rate = rateOfChange(months.map((month) => after(month, 10 + slope * month)));
          expect(rate?.perMonth).toBeCloseTo(slope, 6);
        },
      ),
    );
  });
});

it("compares with the last value at least a day before, or with none", () => {
  const dayMs = 86_400_000;
  const series = [0, 5, 6].map((days) => ({ atMs: start + days * dayMs, value: 10 + days / 10 }));
  const before = (ms: number) => valueBefore(series, start + ms)?.value ?? null;
  expect([0, dayMs - 1, dayMs, 6 * dayMs - 1, 6 * dayMs, 7 * dayMs].map(before)).toEqual([
    ...[null, null, 10],
    ...[10, 10.5, 10.6],
  ]);
});
