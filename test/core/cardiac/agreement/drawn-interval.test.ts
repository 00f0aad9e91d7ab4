import { expect, test } from "vitest";
import { drawnInterval, type ScoreErrors } from "../../../../core/cardiac/agreement/score-errors.ts";

const errors: ScoreErrors = { pack: "a", full: { vhs: 0.5, vlas: null }, repeat: null };

test("draws an interval that covers 80 % of a normal distribution", () => {
  const { low, high } = drawnInterval(10, errors, "vhs") ?? {};
  expect([low, high]).toEqual([expect.closeTo(10 - 1.2816 * 0.5, 3), expect.closeTo(10 + 1.2816 * 0.5, 3)]);
});

test("draws an interval around an RLAD proposed by the networks", () => {
  const { low, high } = drawnInterval(1.9, { ...errors, full: { ...errors.full, rlad: 0.3 } }, "rlad") ?? {};
  expect([low, high]).toEqual([expect.closeTo(1.9 - 1.2816 * 0.3, 3), expect.closeTo(1.9 + 1.2816 * 0.3, 3)]);
});

test("returns null for a score of unknown error and a measure placed by hand", () => {
  expect(drawnInterval(2.3, errors, "vlas")).toBeNull();
  expect(drawnInterval(1.8, errors, "rlad")).toBeNull();
  expect(drawnInterval(10, null, "vhs")).toBeNull();
});
