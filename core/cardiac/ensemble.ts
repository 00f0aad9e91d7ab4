import { heartLandmarkNames, type HeartLandmarks } from "./landmarks.ts";
import { distancePx, meanPoint, type Point } from "./points.ts";
import { median } from "../median.ts";

/** Votes farther from the median vote than this multiple of the median distance are dropped. */
const outlierFactor = 3;

/** Mean of an ensemble's votes without outliers [px], n >= 1. */
export function agreedPoint(votes: readonly Point[]): Point {
  const centre = { x: median(votes.map((vote) => vote.x)), y: median(votes.map((vote) => vote.y)) };
  const distances = votes.map((vote) => distancePx(vote, centre));
  const limitPx = outlierFactor * median(distances);
  return meanPoint(votes.filter((_, index) => (distances[index] as number) <= limitPx));
}

export function agreedHeart(votes: readonly HeartLandmarks[]): HeartLandmarks {
  const places = heartLandmarkNames.map((name) => [name, agreedPoint(votes.map((vote) => vote[name]))] as const);
  return Object.fromEntries(places) as HeartLandmarks;
}

/** Root mean square distance of the votes from their mean [px], n >= 1. */
export function voteScatterPx(votes: readonly Point[]): number {
  const mean = meanPoint(votes);
  return Math.sqrt(votes.reduce((sum, vote) => sum + distancePx(vote, mean) ** 2, 0) / votes.length);
}

/** Mean of `voteScatterPx` over the landmarks, as a fraction of the longest side of the image. */
export function landmarkScatter(votesPerLandmark: readonly (readonly Point[])[], longestSidePx: number): number {
  const sum = votesPerLandmark.reduce((total, votes) => total + voteScatterPx(votes), 0);
  return sum / votesPerLandmark.length / longestSidePx;
}

/**
 * Maximum distance of a member's VHS from the median in an agreeing ensemble [v]. If at least half of the members are
 * farther away, they measured different hearts.
 */
const oneHeartWithinV = 1;

/**
 * Whether the members of an ensemble found the same heart. On a lateral thorax, however poor, most scores are close
 * together; in any other picture each member finds a different heart. Fewer than three members always pass.
 */
export function agreeOnOneHeart(memberVhs: readonly (number | null)[]): boolean {
  const known = memberVhs.filter((vhs) => vhs !== null);
  if (memberVhs.length < 3 || known.length === 0) return true;
  const middle = median(known);
  const apart = memberVhs.filter((vhs) => vhs === null || Math.abs(vhs - middle) > oneHeartWithinV);
  return apart.length < memberVhs.length / 2;
}
