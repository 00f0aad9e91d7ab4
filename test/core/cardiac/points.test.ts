import { expect, it } from "vitest";
import {
  axesAngleDeg,
  distanceToSegmentPx,
  inOtherSize,
  interpolate,
  meanPoint,
  shareNearest,
} from "../../../core/cardiac/points.ts";
import { pointsAt } from "../../fixtures/points-at.ts";

it("preserves pixel centres in a copy of another size", () => {
  const [small, large] = [
    { widthPx: 10, heightPx: 8 },
    { widthPx: 20, heightPx: 24 },
  ];
  expect(inOtherSize({ x: 0, y: 0 }, small, large)).toEqual({ x: 0.5, y: 1 });
  expect(inOtherSize({ x: 9, y: 7 }, small, large)).toEqual({ x: 18.5, y: 22 });
  expect(inOtherSize({ x: 18.5, y: 22 }, large, small)).toEqual({ x: 9, y: 7 });
});

it("limits the nearest point of a segment to its ends, and uses the start of an empty one", () => {
  const [a, b] = pointsAt([2, 1], [10, 7]);
  const shares = [{ x: 1, y: 0 }, { x: 3, y: 8 }, { x: 4, y: 2.5 }, { x: 30, y: 20 }, b].map((point) =>
    shareNearest(a, b, point),
  );
  expect(shares).toEqual([0, 0.5, 0.25, 1, 1]);
  expect(shareNearest(a, a, b)).toBe(0);
  expect(distanceToSegmentPx({ x: 3, y: 8 }, a, b)).toBe(5);
  expect(distanceToSegmentPx({ x: 13, y: 11 }, a, b)).toBe(5);
});

it("computes means, points on a line beyond both ends, and acute angles of axes", () => {
  const [a, b] = pointsAt([2, 1], [10, 7]);
  expect(meanPoint([a, b, { x: 3, y: -2 }])).toEqual({ x: 5, y: 2 });
  expect([-1, 0.5, 2].map((fraction) => interpolate(a, b, fraction))).toEqual(pointsAt([-6, -5], [6, 4], [18, 13]));
  const angles = pointsAt([12, 1], [2, 31], [-6, 1], [12, 11], [12, -9]).map((end) =>
    axesAngleDeg(a, end, { x: 5, y: 5 }, { x: 9, y: 5 }),
  );
  for (const [index, angleDeg] of [0, 90, 0, 45, 45].entries()) expect(angles[index]).toBeCloseTo(angleDeg, 12);
});
