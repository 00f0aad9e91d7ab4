import { distancePx, type Point } from "../cardiac/points.ts";
import { pointAt, type AnnotationTool } from "./annotation-tool.ts";

/** Angle at the second of three points, 0–180 degrees. */
export const angle = {
  name: "angle",
  icon: "M16.500 4L4 15.500h13M9.300 10.700a6.500 6.500 0 0 1 2 4.800",
  keys: "Shift+A",
  points: { least: 3, most: 3 },
  outline: (points) => points,
  labelAt: (points) => pointAt(points, 1),
  quantity: "angle",
  read: (points) => angleDeg(pointAt(points, 0), pointAt(points, 1), pointAt(points, 2)),
} as const satisfies AnnotationTool;

/** atan2 of the cross and dot products stays exact near 0 and 180. */
function angleDeg(one: Point, corner: Point, other: Point): number | null {
  if (distancePx(one, corner) === 0 || distancePx(other, corner) === 0) return null;
  const [ax, ay] = [one.x - corner.x, one.y - corner.y];
  const [bx, by] = [other.x - corner.x, other.y - corner.y];
  return (Math.atan2(Math.abs(ax * by - ay * bx), ax * bx + ay * by) * 180) / Math.PI;
}
