import type { AxisEnds, HeartLandmarks, Landmarks } from "./landmarks.ts";
import { networkMeasures, perMeasure, type MeasureValues } from "./measures/measures.ts";
import type { PlacedHeart } from "./measures/placed-heart.ts";
import { readMeasures, valueOrNull } from "./measures/read-measures.ts";
import { axesAngleDeg, distancePx, distanceToSegmentPx, type Point } from "./points.ts";
import { vertebraeSpanned, type VertebralRuler } from "./ruler/vertebral-ruler.ts";

/** Maximum deviation of the cardiac axes from a right angle to count as perpendicular [deg]. */
export const perpendicularToleranceDeg = 15;

/** Scores computed from landmarks and ruler; vertebrae unrounded. */
export type HeartScore = MeasureValues & {
  readonly longAxisVertebrae: number | null;
  readonly shortAxisVertebrae: number | null;
  /** Angle between the axes before they were made perpendicular, as voted or as placed by a user, 0–90. */
  readonly axesAngleDeg: number;
  readonly areAxesPerpendicular: boolean;
  /**
   * Axes perpendicular, heart ventral of the ruler with its base dorsal, A–B longer than the short axis, both scores in
   * range.
   */
  readonly isGeometryValid: boolean;
};

export function withVertebrae(heart: HeartLandmarks, ruler: VertebralRuler): Landmarks {
  return { ...heart, "Vertebra A": ruler.edges[0] as Point, "Vertebra B": ruler.edges.at(-1) as Point };
}

/**
 * Scores a heart on a ruler in the same pixels. Values that cannot be computed are null instead of an error.
 *
 * @param angle  angle between the axes before they were made perpendicular [deg]
 */
export function scoreHeart(heart: PlacedHeart, ruler: VertebralRuler, angle = ownAngleDeg(heart)): HeartScore {
  const longPx = distancePx(heart.heart_top, heart.heart_bottom);
  const shortPx = distancePx(heart.heart_right, heart.heart_left);
  const areAxesPerpendicular = 90 - angle <= perpendicularToleranceDeg;
  const longAxisVertebrae = spannedOrNull(longPx, ruler);
  const shortAxisVertebrae = spannedOrNull(shortPx, ruler);
  const values = readMeasures(heart, ruler);
  const isGeometryValid =
    networkMeasures.every(({ name }) => values[name] !== null) &&
    areAxesPerpendicular &&
    isHeartBelowColumn(heart, ruler) &&
    columnPx(ruler) > shortPx;
  return {
    ...values,
    longAxisVertebrae,
    shortAxisVertebrae,
    axesAngleDeg: angle,
    areAxesPerpendicular,
    isGeometryValid,
  };
}

/** Sets all measures to null; axes and angle are kept for correction. */
export function withoutValues(score: HeartScore): HeartScore {
  return { ...score, ...perMeasure(({ name }) => (name in score ? null : undefined)) };
}

export function ownAngleDeg({ heart_top, heart_bottom, heart_right, heart_left }: AxisEnds): number {
  return axesAngleDeg(heart_top, heart_bottom, heart_right, heart_left);
}

function spannedOrNull(lengthPx: number, ruler: VertebralRuler): number | null {
  return lengthPx > 0 ? valueOrNull(() => vertebraeSpanned(lengthPx, ruler.edges)) : null;
}

function columnPx(ruler: VertebralRuler): number {
  return distancePx(ruler.edges[0] as Point, ruler.edges.at(-1) as Point);
}

/**
 * Whether the heart is ventral of the column. Ventral has no fixed direction in a rotated or mirrored film, but in
 * every film the base of the heart is nearer to the column than the apex, and the whole heart is on one side of it.
 */
function isHeartBelowColumn(heart: AxisEnds, ruler: VertebralRuler): boolean {
  const a = ruler.edges[0] as Point;
  const b = ruler.edges.at(-1) as Point;
  const side = (point: Point) => Math.sign((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x));
  const heartPoints = [heart.heart_top, heart.heart_bottom, heart.heart_right, heart.heart_left];
  const isOneSide = heartPoints.every((point) => side(point) !== 0 && side(point) === side(heart.heart_bottom));
  return isOneSide && distanceToSegmentPx(heart.heart_top, a, b) < distanceToSegmentPx(heart.heart_bottom, a, b);
}

/** Rounds a score to two decimals for other programs; null stays null. `shownScore` rounds it for users. */
export function roundScore(value: number): number;
export function roundScore(value: number | null): number | null;
export function roundScore(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}
