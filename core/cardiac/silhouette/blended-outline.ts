import { distancePx, type Point } from "../points.ts";
import { outlineRules } from "./silhouette.ts";

/**
 * Interpolates between two outlines of one heart, closed polygons [px] that are star-shaped around `centre`: `share` 0
 * is the first, 1 the second. Returns the other outline if one is missing.
 */
export function blendedOutline(
  one: readonly Point[] | null,
  other: readonly Point[] | null,
  centre: Point,
  share: number,
): readonly Point[] | null {
  if (!one || !other) return one ?? other;
  const [radii, otherRadii] = [radiusByAngle(one, centre), radiusByAngle(other, centre)];
  return Array.from({ length: outlineRules.rays }, (_, ray) => {
    const angle = (2 * Math.PI * ray) / outlineRules.rays;
    const radius = (1 - share) * radii(angle) + share * otherRadii(angle);
    return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
  });
}

/** Distance of a polygon's border from a point by direction [rad, 0–2 π), linearly interpolated. */
function radiusByAngle(outline: readonly Point[], centre: Point): (angle: number) => number {
  const corners = outline
    .map((point) => ({
      angle: (Math.atan2(point.y - centre.y, point.x - centre.x) + 2 * Math.PI) % (2 * Math.PI),
      radius: distancePx(point, centre),
    }))
    .sort((a, b) => a.angle - b.angle);
  const [first, last] = [corners[0], corners.at(-1)] as [Corner, Corner];
  const around = [
    { ...last, angle: last.angle - 2 * Math.PI },
    ...corners,
    { ...first, angle: first.angle + 2 * Math.PI },
  ];
  return (angle) => {
    const next = around.findIndex((corner) => corner.angle > angle);
    const [from, to] = [around[next - 1], around[next]] as [Corner, Corner];
    return from.radius + ((to.radius - from.radius) * (angle - from.angle)) / (to.angle - from.angle);
  };
}

type Corner = { readonly angle: number; readonly radius: number };
