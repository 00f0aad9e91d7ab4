import fc from "fast-check";
import { expect, test } from "vitest";
import { spreadLimits } from "../../../core/cardiac/confidence.ts";
import { isBorderline, referenceRangeFor } from "../../../core/cardiac/reference/reference-ranges.ts";
import { shownAngles, shownAxes, shownChange, shownScore, shownSpread } from "../../../core/cardiac/shown-score.ts";

const vertebrae = fc.double({ min: 0.5, max: 12, noNaN: true });

test("displays axes that add up to the displayed score, within rounding error", () => {
  fc.assert(
    fc.property(vertebrae, vertebrae, (longAxisVertebrae, shortAxisVertebrae) => {
      const vhs = longAxisVertebrae + shortAxisVertebrae;
      const { long, short } = shownAxes({ vhs, longAxisVertebrae, shortAxisVertebrae });
      expect(Math.round(10 * long!) + Math.round(10 * short!)).toBe(Math.round(10 * shownScore(vhs)));
      expect(Math.abs(short! - shortAxisVertebrae)).toBeLessThanOrEqual(0.1 + 1e-9);
    }),
  );
});

test("shows the angle of the drawn axes, and the voted one if it differs", () => {
  const heart = {
    heart_top: { x: 0, y: 0 },
    heart_bottom: { x: 100, y: 0 },
    heart_right: { x: 50, y: 40 },
    heart_left: { x: 50, y: -40 },
  };
  expect(shownAngles(heart, { axesAngleDeg: 76.4 })).toEqual({ drawn: 90, voted: 76 });
  expect(shownAngles(heart, { axesAngleDeg: 89.6 })).toEqual({ drawn: 90, voted: null });
});

test("displays a spread on the same side of a limit as it is", () => {
  for (const limit of Object.values(spreadLimits))
    for (const steps of [-51, -50, -49, -1, 0, 1, 49, 50]) {
      const spread = Math.round(1e6 * limit + steps) / 1e6;
      expect([spread, shownSpread(spread) < limit]).toEqual([spread, steps < 0]);
      expect(Math.abs(shownSpread(spread) - spread)).toBeLessThan(1e-4);
    }
  expect(Array.from({ length: 100 }, (_, index) => shownSpread(index / 1e4))).toEqual(
    Array.from({ length: 100 }, (_, index) => index / 1e4),
  );
});

test("computes a change from the displayed values", () => {
  expect([shownChange(10.04, 10.46), shownChange(10.46, 10.04), shownChange(10.14, 10.06)]).toEqual([0.5, -0.5, 0]);
});

test("treats an interval that contains a limit of the range as borderline", () => {
  const general = referenceRangeFor("vhs", "dog", "")!;
  const isNearLimit = (low: number, high: number) => isBorderline({ low, high }, general);
  expect([isNearLimit(9.8, 10.6), isNearLimit(10.3, 11.1), isNearLimit(8.2, 8.6)]).toEqual([true, true, true]);
  expect([isNearLimit(9, 10), isNearLimit(11.1, 11.9)]).toEqual([false, false]);
  expect(isBorderline(null, general)).toBe(false);
});
