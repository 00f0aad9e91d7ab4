import { AppError } from "../../app-error.ts";
import { ownAngleDeg, scoreHeart, type HeartScore } from "../heart-score.ts";
import { axisLandmarkNames, type AxisEnds } from "../landmarks.ts";
import type { PlacedHeart } from "../measures/placed-heart.ts";
import { distancePx, interpolate, type Point } from "../points.ts";
import { edgesToVertebraB, fallbackRuler, type VertebralRuler } from "./vertebral-ruler.ts";

/** Points [px] and angle between the axes [deg] before a correction. */
export type BeforeCorrection = {
  readonly heart: AxisEnds | null;
  readonly score: Pick<HeartScore, "axesAngleDeg"> | null;
};

/**
 * Ruler and score of a correction; `edges` from A caudally [px], n >= 2. The networks' angle is kept until an end of an
 * axis moves, because reported axes are always perpendicular.
 *
 * @throws AppError EDGES_COINCIDE if two neighbouring edges are the same point
 */
export function scoreByHand(
  heart: PlacedHeart,
  edges: readonly Point[],
  before: BeforeCorrection | null = null,
): { readonly ruler: VertebralRuler; readonly score: HeartScore } {
  const ruler = rulerByHand(edges, distancePx(heart.heart_top, heart.heart_bottom));
  return { ruler, score: scoreHeart(heart, ruler, keptAngleDeg(heart, before) ?? ownAngleDeg(heart)) };
}

function keptAngleDeg(heart: AxisEnds, before: BeforeCorrection | null): number | null {
  if (!before?.heart || !before.score) return null;
  const { heart: earlier, score } = before;
  const isUnmoved = axisLandmarkNames.every((name) => distancePx(heart[name], earlier[name]) < 1e-6);
  return isUnmoved ? score.axesAngleDeg : null;
}

/**
 * Ruler of points placed by a user, which are used unchanged, however uneven. Two edges are A and B, divided into six
 * equal parts; more are single vertebrae, cut after the one in which the long axis ends.
 *
 * @throws AppError EDGES_COINCIDE
 * @see buildRuler, the equivalent for detected edges
 */
export function rulerByHand(edges: readonly Point[], longAxisPx: number): VertebralRuler {
  const [vertebraA, second] = edges;
  if (!vertebraA || !second) throw new AppError("EDGES_COINCIDE");
  if (edges.length === 2) return fallbackRuler(vertebraA, second);
  return { edges: edgesToVertebraB(edges, longAxisPx), kind: "detected" };
}

/**
 * Shifts the ruler by one vertebra, to correct a wrong T4: in caudal direction the second edge becomes A, in cranial
 * direction a vertebra as long as the first is added. At least three edges remain.
 */
export function shiftRuler(edges: readonly Point[], direction: "cranial" | "caudal"): readonly Point[] {
  const [vertebraA, second] = edges;
  if (!vertebraA || !second || edges.length < 3) return edges;
  if (direction === "cranial") return [interpolate(second, vertebraA, 2), ...edges];
  return edges.length > 3 ? edges.slice(1) : edges;
}
