import { ownAngleDeg } from "../heart-score.ts";
import type { AxisEnds } from "../landmarks.ts";
import { axesAngleDeg, distancePx, interpolate, type Point } from "../points.ts";

/** Limits for the crossing of the axes and for the deviation of an outline's axes from the voted ones. */
const outlineAxesRules = {
  /** Crossing as a fraction of the long axis from the carina: 10th and 90th percentile of clinicians' axes. */
  crossing: { least: 0.28, most: 0.37 },
  /**
   * Border points at least this fraction of the greatest distance away count as equally distant, because an apex is
   * blunt.
   */
  asDistant: 0.99,
  longAxisTurnDeg: 20,
  longAxisShare: { least: 0.8, most: 1.3 },
  shortAxisShare: { least: 0.75, most: 1.4 },
  /** Minimum angle between the voted axes for a plausible level of the crossing. */
  leastVotedAngleDeg: 45,
} as const;

/**
 * Derives the axes from the outline by their definition: the long axis from the carina to the most distant point of the
 * silhouette, the short axis perpendicular to it at the voted level, from border to border.
 *
 * @param outline  closed polygon [px], n >= 3
 * @param voted    heart points in the same pixels; only the carina and points that are not ends of the axes are kept
 * @returns        null if the outline contradicts the votes
 * @see Buchanan & Bücheler 1995, JAVMA 206:194–199
 */
export function axesOfOutline<Heart extends AxisEnds>(outline: readonly Point[], voted: Heart): Heart | null {
  const { heart_top: top, heart_bottom, heart_right, heart_left } = voted;
  if (ownAngleDeg(voted) < outlineAxesRules.leastVotedAngleDeg) return null;
  const apex = apexOf(outline, top, heart_bottom);
  const longPx = distancePx(top, apex);
  const { longAxisTurnDeg, longAxisShare, shortAxisShare } = outlineAxesRules;
  if (!isWithin(longPx / distancePx(top, heart_bottom), longAxisShare)) return null;
  if (!isSameWay(top, apex, heart_bottom) || axesAngleDeg(top, apex, top, heart_bottom) > longAxisTurnDeg) return null;
  const crossing = interpolate(top, apex, votedLevel(voted));
  // Unit vector towards the cranial end.
  const turn = { x: -(apex.y - top.y) / longPx, y: (apex.x - top.x) / longPx };
  const towards = (heart_right.x - heart_left.x) * turn.x + (heart_right.y - heart_left.y) * turn.y;
  const cranial = towards >= 0 ? turn : { x: -turn.x, y: -turn.y };
  const chord = chordThrough(outline, crossing, cranial);
  if (!chord) return null;
  if (!isWithin((chord.most - chord.least) / distancePx(heart_right, heart_left), shortAxisShare)) return null;
  const at = (px: number): Point => ({ x: crossing.x + px * cranial.x, y: crossing.y + px * cranial.y });
  return { ...voted, heart_bottom: apex, heart_right: at(chord.most), heart_left: at(chord.least) };
}

function isWithin(share: number, { least, most }: { least: number; most: number }): boolean {
  return share >= least && share <= most;
}

function isSameWay(from: Point, a: Point, b: Point): boolean {
  return (a.x - from.x) * (b.x - from.x) + (a.y - from.y) * (b.y - from.y) > 0;
}

/** Most distant border point; of those that count as equally distant, the one nearest to the voted apex. */
function apexOf(outline: readonly Point[], top: Point, voted: Point): Point {
  const minPx = Math.max(...outline.map((point) => distancePx(top, point))) * outlineAxesRules.asDistant;
  const blunt = outline.filter((point) => distancePx(top, point) >= minPx);
  return blunt.reduce((best, point) => (distancePx(voted, point) < distancePx(voted, best) ? point : best));
}

/** Crossing with the voted short axis as a fraction of the voted long axis, limited to the plausible range. */
function votedLevel({ heart_top: top, heart_bottom: bottom, heart_right: right, heart_left: left }: AxisEnds) {
  const long = { x: bottom.x - top.x, y: bottom.y - top.y };
  const across = { x: left.x - right.x, y: left.y - right.y };
  const level = ((right.x - top.x) * across.y - (right.y - top.y) * across.x) / (long.x * across.y - long.y * across.x);
  const { least, most } = outlineAxesRules.crossing;
  return Math.min(most, Math.max(least, level));
}

/**
 * Outermost intersections of a polygon with the line through `place` in a direction of length 1: distances along it
 * [px], one on either side; null without both.
 */
export function chordThrough(
  outline: readonly Point[],
  place: Point,
  direction: Point,
): { readonly least: number; readonly most: number } | null {
  const aside = (point: Point) => (point.x - place.x) * -direction.y + (point.y - place.y) * direction.x;
  const along = (point: Point) => (point.x - place.x) * direction.x + (point.y - place.y) * direction.y;
  let [least, most] = [0, 0];
  let before = outline.at(-1) as Point;
  for (const point of outline) {
    const [a, b] = [aside(before), aside(point)];
    if (a >= 0 !== b >= 0) {
      const crossing = along(interpolate(before, point, a / (a - b)));
      least = Math.min(least, crossing);
      most = Math.max(most, crossing);
    }
    before = point;
  }
  return least < 0 && most > 0 ? { least, most } : null;
}
