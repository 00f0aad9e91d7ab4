import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs, monthMs } from "../../../../core/durations.ts";
import { hasTwoVisits, rateOfChange, valueBefore } from "../../../../core/cardiac/reference/trend.ts";

const start = Date.UTC(2026, 0, 10);
const after = (months: number, value: number, error: number | null = 0.3) => ({
  atMs: start + months * monthMs,
  value,
  errors: { pack: null, full: { vhs: error, vlas: error }, repeat: null },
});

describe("rateOfChange", () => {
  const day = 1 / 30.44;

  it("requires three films of at least two visits", () => {
    const visit = [after(0, 10), after(0.3 * day, 10.4), after(0.99 * day, 11)];
    const rates = [[], [after(0, 10)], [after(0, 10), after(6, 11)], visit].map((each) => rateOfChange("vhs", each));
    expect(rates).toEqual([null, null, null, null]);
    expect(rateOfChange("vhs", [...visit, after(6, 11)])).not.toBeNull();
  });

  it("derives the slope's interval from the films' errors and the phase of the heart", () => {
    const series = [after(0, 10), after(6, 10.2), after(12, 10.7)];
    const half = (error: number) => (1.96 * error * Math.sqrt(72)) / 72;
    const vhs = rateOfChange("vhs", series)!;
    expect(vhs.perMonth).toBeCloseTo(0.7 / 12, 6);
    expect(vhs.high - vhs.perMonth).toBeCloseTo(half(Math.hypot(0.3, 0.36 / Math.sqrt(12))), 4);
    expect(vhs.perMonth - vhs.low).toBeCloseTo(vhs.high - vhs.perMonth, 9);
    const vlas = rateOfChange("vlas", series)!;
    expect(vlas.high - vlas.perMonth).toBeCloseTo(half(0.3), 4);
  });

  it("derives the interval from the scatter around the line if the error of a film is unknown", () => {
    const rate = rateOfChange("vhs", [after(0, 10, null), after(1, 11), after(2, 10), after(3, 11)])!;
    // Slope 0.2, residuals -0.2, 0.6, -0.6 and 0.2, two degrees of freedom.
    expect(rate.perMonth).toBeCloseTo(0.2, 9);
    expect(rate.high - rate.perMonth).toBeCloseTo(4.3027 * Math.sqrt(0.8 / 2 / 5), 4);
  });

  it("flags a rise of VHS of at least 0.08 v per month with an interval above 0", () => {
    const rising = (perMonth: number, months: number, name: "vhs" | "vlas" = "vhs") =>
      rateOfChange(
        name,
        [0, 1, 2].map((visit) => after(visit * months, 10 + perMonth * visit * months)),
      )?.isFast;
    expect(rising(0.081, 6)).toBe(true);
    expect(rising(0.079, 6)).toBe(false);
    expect(rising(0.081, 3)).toBe(false);
    expect(rising(-0.2, 6)).toBe(false);
    expect(rising(0.081, 6, "vlas")).toBe(false);
  });

  it("recovers the slope of any line", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 3, maxLength: 12 }),
        (slope, months) => {
          const series = months.map((month) => after(month, 10 + slope * month));
          expect(rateOfChange("vhs", series)?.perMonth).toBeCloseTo(slope, 6);
        },
      ),
    );
  });
});

it("returns the last value at least a day earlier, null without one", () => {
  const dayMs = 86_400_000;
  const series = [0, 5, 6].map((days) => ({ atMs: start + days * dayMs, value: 10 + days / 10 }));
  const before = (ms: number) => valueBefore(series, start + ms)?.value ?? null;
  expect([0, dayMs - 1, dayMs, 6 * dayMs - 1, 6 * dayMs, 7 * dayMs].map(before)).toEqual([
    ...[null, null, 10],
    ...[10, 10.5, 10.6],
  ]);
});

describe("hasTwoVisits", () => {
  it.each([
    [[0], false],
    [[0, dayMs - 1], false],
    [[0, dayMs], true],
    [[dayMs, 0, 1], true],
  ])("maps films taken at %j ms to %s", (times, expected) =>
    expect(hasTwoVisits(times.map((atMs) => ({ atMs })))).toBe(expected),
  );
});
