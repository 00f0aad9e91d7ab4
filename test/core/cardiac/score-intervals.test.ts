import { describe, expect, it } from "vitest";
import type { Calibration } from "../../../core/cardiac/measures/calibration.ts";
import { intervalOf, intervalsOf } from "../../../core/cardiac/score-intervals.ts";

const calibration: Calibration = {
  coverage: 0.8,
  intervals: [
    { kind: "direct", widthUpToPx: 300, vhsUpTo: null, spreadUpTo: 0.008, vhsHalfWidth: 0.7, vlasHalfWidth: 0.6 },
    { kind: "direct", widthUpToPx: null, vhsUpTo: null, spreadUpTo: 0.008, vhsHalfWidth: 0.5, vlasHalfWidth: 0.4 },
    { kind: "direct", widthUpToPx: null, vhsUpTo: null, spreadUpTo: null, vhsHalfWidth: 1, vlasHalfWidth: 0.75 },
    { kind: "photograph", widthUpToPx: 4000, vhsUpTo: null, spreadUpTo: null, vhsHalfWidth: 1.5, vlasHalfWidth: 1.25 },
  ],
};
const scores = { vhs: 10, vlas: 2 };
const widthOf = (film: Parameters<typeof intervalsOf>[1]) => {
  const intervals = intervalsOf(calibration, film, scores);
  return intervals && [intervals.vhs!.high - 10, 2 - intervals.vlas!.low];
};

describe("intervalsOf", () => {
  it.each([
    ["a thumbnail", { kind: "direct", widthPx: 300, spread: 0.008 }, [0.7, 0.6]],
    ["a film", { kind: "direct", widthPx: 301, spread: 0.008 }, [0.5, 0.4]],
    ["a thumbnail with a large spread", { kind: "direct", widthPx: 150, spread: 0.0081 }, [1, 0.75]],
    ["a photograph", { kind: "photograph", widthPx: 4000, spread: null }, [1.5, 1.25]],
    ["a photograph without a matching row", { kind: "photograph", widthPx: 4001, spread: null }, null],
  ] as const)("uses the first matching row for %s", (_, film, widths) =>
    expect(widthOf(film)).toEqual(widths && widths.map((width) => expect.closeTo(width, 12) as number)),
  );

  it("selects the row by the measured VHS", () => {
    const row = { kind: "direct", widthUpToPx: null, spreadUpTo: null, vlasHalfWidth: 0.4 } as const;
    const bySize: Calibration = {
      coverage: 0.8,
      intervals: [
        { ...row, vhsUpTo: 10, vhsHalfWidth: 0.5 },
        { ...row, vhsUpTo: null, vhsHalfWidth: 1 },
      ],
    };
    const film = { kind: "direct", widthPx: 800, spread: 0.002 } as const;
    expect(intervalsOf(bySize, film, { vhs: 10, vlas: null })?.vhs).toEqual({ low: 9.5, high: 10.5 });
    expect(intervalsOf(bySize, film, { vhs: 10.001, vlas: null })?.vhs?.high).toBeCloseTo(11.001);
    expect(intervalsOf(bySize, film, { vhs: null, vlas: 2 })?.vlas).toEqual({ low: 1.6, high: 2.4 });
  });

  it("adds the half width on both sides of each score, and returns null for a missing score", () => {
    const film = { kind: "direct", widthPx: 800, spread: 0.002 } as const;
    expect(intervalsOf(calibration, film, { vhs: 10.123, vlas: null })).toEqual({
      coverage: 0.8,
      vhs: { low: 9.623, high: 10.623 },
      vlas: null,
    });
  });

  it("includes the RLAD if the row states its half width", () => {
    const row = {
      kind: "direct",
      widthUpToPx: null,
      vhsUpTo: null,
      spreadUpTo: null,
      vhsHalfWidth: 0.5,
      vlasHalfWidth: 0.4,
    } as const;
    const film = { kind: "direct", widthPx: 800, spread: 0.002 } as const;
    const of = (rlad: number | undefined) =>
      intervalsOf({ coverage: 0.8, intervals: [{ ...row, rladHalfWidth: 0.25 }] }, film, { ...scores, rlad })?.rlad;
    expect([of(1.5), of(undefined)]).toEqual([{ low: 1.25, high: 1.75 }, null]);
  });

  it("limits the lower end to zero", () => {
    const film = { kind: "direct", widthPx: 800, spread: 0.002 } as const;
    expect(intervalsOf(calibration, film, { vhs: 0.25, vlas: null })?.vhs).toEqual({ low: 0, high: 0.75 });
  });

  it.each([null, undefined])("returns null for a pack without calibration (%s)", (none) =>
    expect(intervalsOf(none, { kind: "direct", widthPx: 800, spread: 0 }, scores)).toBeNull(),
  );
});

describe("intervalOf", () => {
  const intervals = { coverage: 0.8, vhs: { low: 9.5, high: 10.5 }, vlas: null };

  it("includes the coverage", () =>
    expect(intervalOf(intervals, "vhs")).toEqual({ low: 9.5, high: 10.5, coverage: 0.8 }));

  it.each(["vlas", "rlad"] as const)("returns null for %s without an interval", (measure) =>
    expect(intervalOf(intervals, measure)).toBeNull(),
  );
});
