import { expectedError, usualDisagreementRule, type Disagreement, type DisagreementRule } from "./disagreement.ts";
import { perpendicularToleranceDeg, type HeartScore } from "./heart-score.ts";
import type { Landmarks } from "./landmarks.ts";
import { distancePx, type PictureSize, type Point } from "./points.ts";
import { isColumnRegular } from "./ruler/column-growth.ts";
import type { VertebralRuler } from "./ruler/vertebral-ruler.ts";
import { isInPicture } from "./drawing/within-picture.ts";

/** Confidence tiers, best first. */
export const confidenceTiers = ["optimal", "good", "review"] as const;

export type ConfidenceTier = (typeof confidenceTiers)[number];

/** Upper limits of the ensemble spread, exclusive (section 2.8). */
export const spreadLimits = { optimal: 0.005, good: 0.008 } as const;

export const reviewReasonKinds = [
  "no_score",
  "fallback_ruler",
  "spread",
  "member_scatter",
  "no_vlas",
  "axes_angle",
  "short_ruler",
  "geometry",
  "outside_film",
  "small_thorax",
  "film_border",
  "blurred",
  "pixel_shape",
] as const;

/**
 * Why a measurement is to be reviewed.
 * `value` against `limit`: `spread` in parts of the longest side, `member_scatter` the expected error by disagreement
 * [v], `axes_angle` the angle and how far it may be from a right one [deg], `short_ruler` the ruler and the short axis
 * [v], `blurred` the blur of the photograph as a standard deviation [v]; else null.
 */
export type ReviewReason = {
  readonly kind: (typeof reviewReasonKinds)[number];
  readonly value: number | null;
  readonly limit: number | null;
};

/** A film, and its first pixel in a picture that shows more than it [px]. */
export type FilmInPicture = PictureSize & { readonly begins?: Point };

type DirectReading = {
  /** Mean scatter of the landmarks, in parts of the film's longest side. */
  readonly landmarkScatter: number;
  readonly disagreement: Disagreement;
  readonly landmarks: Landmarks;
  readonly ruler: VertebralRuler;
  readonly score: HeartScore;
  /** The film as a whole was taken for something else, and only the thorax on it passed. */
  readonly isThoraxAlone?: boolean;
  /** The file's own pixel shape cannot be read. */
  readonly isShapeDoubtful?: boolean;
};

type PhotographReading = {
  /** Mean probability mass within 3 cells of the peak, 0–1. */
  readonly sharpness: number;
  /** Blur of the sharpest edges, as a standard deviation [v]. */
  readonly edgeBlurV?: number | undefined;
  readonly ruler: VertebralRuler;
  readonly score: HeartScore;
};

/** Tier and reasons of a measurement: `review` exactly if there is a reason. */
export type Judgement = { readonly tier: ConfidenceTier; readonly reviewReasons: readonly ReviewReason[] };

/**
 * Judges a direct radiograph. `spread` is the largest of: the landmarks' scatter; the error expected by disagreement,
 * scaled so that the rule's limits equal those of the tiers; the limit for `review` itself without a score, for a
 * fallback ruler, if ruler or axis leave the film, if the voted axes are not perpendicular, if only the thorax passed
 * the gate, or if the file's pixel spacing cannot be read. The tier follows from `spread` by the table of section 2.8.
 *
 * @param film  film that the points refer to, and its offset in a larger picture
 * @param rule  error expected by the networks' disagreement
 * @returns     `spread` rounded to 6 decimals
 */
export function judgeDirect(
  reading: DirectReading,
  film: FilmInPicture,
  rule = usualDisagreementRule,
): Judgement & { readonly spread: number } {
  const ofLandmarks = roundSpread(reading.landmarkScatter);
  const errorV = expectedError(reading.disagreement, rule);
  const ofScores = roundSpread(spreadOfError(errorV, rule));
  const doubts = geometryDoubts(reading, film);
  const spread = Math.max(ofLandmarks, ofScores, doubts.length > 0 ? spreadLimits.good : 0);
  const reviewReasons = [
    ...doubts,
    ...(tierOfSpread(ofScores) === "review" ? [reason("member_scatter", errorV, rule.reviewFrom)] : []),
    ...(tierOfSpread(ofLandmarks) === "review" ? [reason("spread", ofLandmarks, spreadLimits.good)] : []),
  ];
  return { spread, tier: tierOfSpread(spread), reviewReasons };
}

export function tierOfSpread(spread: number): ConfidenceTier {
  if (spread < spreadLimits.optimal) return "optimal";
  return spread < spreadLimits.good ? "good" : "review";
}

/** Expected error [v] on the scale of `spread`: the rule's limits equal those of the tiers. */
function spreadOfError(errorV: number, { goodFrom, reviewFrom }: DisagreementRule): number {
  const { optimal, good } = spreadLimits;
  if (errorV < goodFrom) return (errorV / goodFrom) * optimal;
  return optimal + ((errorV - goodFrom) / (reviewFrom - goodFrom)) * (good - optimal);
}

function roundSpread(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * Fewest pixels per vertebra of a photographed film whose points can be clear: with fewer, one pixel on each axis
 * changes the VHS by more than its last displayed decimal (2 px / 20 px = 0.1 v), however sharp the heat maps are.
 */
const leastVertebraPx = 20;

/**
 * Blur of a photograph [v] up to which it can be `optimal` and `good`: heat maps stay sharp on blurred borders. Chosen
 * on simulated photographs of other films than the card's, plain and blurred by 6 and 11 px.
 */
const blurLimits = { optimal: 0.1, good: 0.17 } as const;

/**
 * Judges a photograph of a screen: by geometry and heat-map sharpness (section 2.8), which is not high on a film of too
 * few pixels or on a blurred one; much blur needs a review. Vertebrae that shrink or grow along the column as no
 * animal's do make the border unsound, too.
 *
 * @param sharpnessHigh  the pack's own limit above which a heat map counts as sharp
 * @param isBorderSound  false where the film's border in the photograph contradicts itself
 */
export function judgePhotograph(
  { sharpness, edgeBlurV = 0, ruler, score }: PhotographReading,
  sharpnessHigh: number,
  isBorderSound = true,
): Judgement {
  const isFilmSound = isBorderSound && (ruler.kind === "fallback" || isColumnRegular(ruler.edges));
  const reviewReasons = [
    ...reviewReasonsOfPhotograph(ruler, score),
    ...(isFilmSound ? [] : [reason("film_border")]),
    ...(edgeBlurV <= blurLimits.good ? [] : [reason("blurred", edgeBlurV, blurLimits.good)]),
  ];
  const isSharp =
    sharpness > sharpnessHigh && edgeBlurV <= blurLimits.optimal && meanVertebraPx(ruler) >= leastVertebraPx;
  return { tier: reviewReasons.length > 0 ? "review" : isSharp ? "optimal" : "good", reviewReasons };
}

function meanVertebraPx({ edges }: VertebralRuler): number {
  const lengths = edges.slice(1).map((edge, index) => distancePx(edges[index] as Point, edge));
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

/** Reasons for a review in the geometry of a direct film, independent of the votes. */
function geometryDoubts(
  { landmarks, ruler, score, isThoraxAlone = false, isShapeDoubtful = false }: DirectReading,
  { begins = { x: 0, y: 0 }, ...film }: FilmInPicture,
): readonly ReviewReason[] {
  const { heart_top, heart_bottom, heart_right, heart_left } = landmarks;
  const places = [heart_top, heart_bottom, heart_right, heart_left, ...ruler.edges];
  return [
    ...(score.vhs === null ? [reason("no_score")] : []),
    ...(ruler.kind === "fallback" ? [reason("fallback_ruler")] : []),
    ...(places.every(({ x, y }) => isInPicture({ x: x - begins.x, y: y - begins.y }, film))
      ? []
      : [reason("outside_film")]),
    ...(score.areAxesPerpendicular ? [] : [reason("axes_angle", score.axesAngleDeg, perpendicularToleranceDeg)]),
    ...(isThoraxAlone ? [reason("small_thorax")] : []),
    ...(isShapeDoubtful ? [reason("pixel_shape")] : []),
  ];
}

/** Why a photograph of a screen is to be reviewed; empty when it need not be. */
export function reviewReasonsOfPhotograph(ruler: VertebralRuler, score: HeartScore): readonly ReviewReason[] {
  return [
    ...(ruler.kind === "fallback" ? [reason("fallback_ruler")] : []),
    ...(score.isGeometryValid ? [] : geometryReasons(ruler, score)),
  ];
}

/** Deviations from the geometry of a lateral thorax; the position of the heart is checked last. */
function geometryReasons(
  { edges }: VertebralRuler,
  { vhs, vlas, shortAxisVertebrae, areAxesPerpendicular, axesAngleDeg }: HeartScore,
): readonly ReviewReason[] {
  const reasons = [
    ...(vhs === null ? [reason("no_score")] : []),
    ...(vhs !== null && vlas === null ? [reason("no_vlas")] : []),
    ...(areAxesPerpendicular ? [] : [reason("axes_angle", axesAngleDeg, perpendicularToleranceDeg)]),
    ...(shortAxisVertebrae !== null && shortAxisVertebrae >= edges.length - 1
      ? [reason("short_ruler", edges.length - 1, shortAxisVertebrae)]
      : []),
  ];
  return reasons.length > 0 ? reasons : [reason("geometry")];
}

export function reason(
  kind: ReviewReason["kind"],
  value: number | null = null,
  limit: number | null = null,
): ReviewReason {
  return { kind, value, limit };
}

/** The tier one step lower; `review` stays. */
export function oneTierLower(tier: ConfidenceTier): ConfidenceTier {
  return tier === "optimal" ? "good" : "review";
}
