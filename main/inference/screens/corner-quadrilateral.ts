import { distancePx, type Point } from "../../../core/cardiac/points.ts";
import type { Candidate, SquareMap } from "./corner-candidates.ts";

/** Four candidates in the order TL, TR, BR, BL. */
type Quadrilateral = readonly [Candidate, Candidate, Candidate, Candidate];

/** `evidence`: weighted geometric mean of the map values at the corners and along the sides, 0–1. */
export type LikeliestFilm = { readonly corners: Quadrilateral; readonly evidence: number };

/** Standard deviation of the cosine of a corner's angle, by the perspective of a rectangle in a photograph. */
const angleSpread = 0.21;
/** Weight of a side's evidence relative to a corner's. */
const sideWeight = 2;
const sideSamples = 16;
/** Minimum evidence of a side, so that a finger on it does not decide. */
const minEvidence = 0.02;

/**
 * Finds the likeliest film among the candidates for TL, TR, BR, BL, by the values of the corner maps, the side maps
 * (top, right, bottom, left) along the sides, and angles as of a rectangle in perspective. null if no four candidates
 * form a convex quadrilateral, clockwise on the screen.
 */
export function mostLikelyFilm(
  candidates: readonly (readonly Candidate[])[],
  sideMaps: readonly SquareMap[],
): LikeliestFilm | null {
  const [first = [], second = [], third = [], fourth = []] = candidates;
  const sideOf = sideEvidence(candidates, sideMaps);
  let best: { film: LikeliestFilm | null; score: number } = { film: null, score: -Infinity };
  first.forEach((tl, a) => {
    second.forEach((tr, b) => {
      third.forEach((br, c) => {
        fourth.forEach((bl, d) => {
          const corners: Quadrilateral = [tl, tr, br, bl];
          const sides = sideOf(0, a, b) + sideOf(1, b, c) + sideOf(2, c, d) + sideOf(3, d, a);
          const seen = corners.reduce((sum, { value }) => sum + Math.log(value), sideWeight * sides);
          const score = seen - anglePenalty(corners);
          if (score > best.score) best = { film: { corners, evidence: Math.exp(seen / (4 + 4 * sideWeight)) }, score };
        });
      });
    });
  });
  return best.film;
}

function sideEvidence(
  candidates: readonly (readonly Candidate[])[],
  sideMaps: readonly SquareMap[],
): (side: number, start: number, end: number) => number {
  const table = sideMaps.map((map, side) =>
    (candidates[side] ?? []).map((start) =>
      (candidates[(side + 1) % 4] ?? []).map((end) =>
        Math.log(Math.max(minEvidence, meanAlong(map, start.at, end.at))),
      ),
    ),
  );
  return (side, start, end) => table[side]?.[start]?.[end] ?? 0;
}

/** Mean of the map between two points; the network marks a side three cells wide. */
function meanAlong({ values, side }: SquareMap, start: Point, end: Point): number {
  let sum = 0;
  for (let index = 0; index < sideSamples; index += 1) {
    const share = (index + 0.5) / sideSamples;
    const column = Math.round(start.x + (end.x - start.x) * share);
    const row = Math.round(start.y + (end.y - start.y) * share);
    if (column >= 0 && row >= 0 && column < side && row < side) sum += values[row * side + column] ?? 0;
  }
  return sum / sideSamples;
}

/** Infinite unless the corners turn clockwise on the screen (y down), each by less than half a turn. */
function anglePenalty(film: Quadrilateral): number {
  let penalty = 0;
  for (let index = 0; index < 4; index += 1) {
    const [at, next, afterNext] = [index, index + 1, index + 2].map((place) => film[place % 4]?.at) as [
      Point,
      Point,
      Point,
    ];
    const cross = (next.x - at.x) * (afterNext.y - next.y) - (next.y - at.y) * (afterNext.x - next.x);
    if (cross <= 0) return Infinity;
    const dot = (next.x - at.x) * (afterNext.x - next.x) + (next.y - at.y) * (afterNext.y - next.y);
    const cosine = dot / (distancePx(at, next) * distancePx(next, afterNext));
    penalty += (cosine * cosine) / (2 * angleSpread * angleSpread);
  }
  return penalty;
}
