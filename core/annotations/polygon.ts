import type { Point } from "../cardiac/points.ts";
import { pointAt, type AnnotationTool } from "./annotation-tool.ts";

/** Area of a polygon of at least three corners; undefined if sides cross. */
export const polygon = {
  name: "polygon",
  icon: "M4 7.500L11 3l6 6-3.500 8L5.500 15z",
  keys: "Shift+P",
  points: { least: 3, most: 60 },
  outline: (points) => [...points, pointAt(points, 0)],
  labelAt: (points) => pointAt(points, -1),
  quantity: "area",
  read: (points) => {
    const area = Math.abs(signedArea(points));
    return area > 0 && !hasCrossingSides(points) ? area : null;
  },
} as const satisfies AnnotationTool;

/** Shoelace formula, relative to the first corner so that coordinates far from the origin lose no precision. */
function signedArea(points: readonly Point[]): number {
  const start = pointAt(points, 0);
  return sidesOf(points).reduce(
    (sum, [a, b]) => sum + ((a.x - start.x) * (b.y - start.y) - (b.x - start.x) * (a.y - start.y)) / 2,
    0,
  );
}

type Side = readonly [Point, Point];

function sidesOf(points: readonly Point[]): readonly Side[] {
  return points.map((point, index) => [point, pointAt(points, (index + 1) % points.length)]);
}

function hasCrossingSides(points: readonly Point[]): boolean {
  const sides = sidesOf(points);
  return sides.some((side, index) => sides.slice(index + 2).some((other) => doCross(side, other)));
}

function doCross([a, b]: Side, [c, d]: Side): boolean {
  return turnOf(a, b, c) * turnOf(a, b, d) < 0 && turnOf(c, d, a) * turnOf(c, d, b) < 0;
}

function turnOf(a: Point, b: Point, c: Point): number {
  return Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}
