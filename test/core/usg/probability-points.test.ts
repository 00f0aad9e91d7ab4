import { expect, it } from "vitest";
import { probabilityPoints } from "../../../core/usg/probability-points.ts";

const sigmoid = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));
const explained = (base_value: number, ...shaps: readonly number[]) => ({
  base_value,
  features: shaps.map((shap) => ({ shap })),
});

it("adds up to the probability, preserving signs and order of the contributions", () => {
  const { base, points } = probabilityPoints(explained(-0.6, 1.2, -0.5, 0.3));
  expect(base).toBeCloseTo(sigmoid(-0.6), 12);
  expect(base + points.reduce((sum, point) => sum + point, 0)).toBeCloseTo(sigmoid(0.4), 12);
  expect(points.map(Math.sign)).toEqual([1, -1, 1]);
  expect(points[0]! / points[1]!).toBeCloseTo(1.2 / -0.5, 12);
});

it("keeps contributions that cancel out", () => {
  const { base, points } = probabilityPoints(explained(0, 0.8, -0.8));
  expect([base, points[0], points[1]]).toEqual([0.5, expect.closeTo(0.2, 12), expect.closeTo(-0.2, 12)]);
});
