import type { DisagreementRule } from "./measures/calibration.ts";
import { expectedError, usualDisagreementRule, type Disagreement } from "./disagreement.ts";
import { perpendicularToleranceDeg, type HeartScore } from "./heart-score.ts";
import type { Landmarks } from "./landmarks.ts";
import { segmentLengthsPx, type PictureSize, type Point } from "./points.ts";
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
 * Reason to review a measurement. Meaning of `value` and `limit` by kind: `spread` as a fraction of the longest side;
 * `member_scatter` the error expected from disagreement [v]; `axes_angle` the angle and the tolerated deviation from 90
 * [deg]; `short_ruler` the lengths of the ruler and the short axis [v]; `blurred` the blur of the photograph as a
 * standard deviation [v]. Both are null for other kinds.
 */
export type ReviewReason = {
  readonly kind: (typeof reviewReasonKinds)[number];
  readonly value: number | null;
  readonly limit: number | null;
};

/** A film, and the position of its first pixel in a picture that contains it [px]. */
export type FilmInPicture = PictureSize & { readonly begins?: Point };

type DirectReading = {
  /** Mean scatter of the landmarks, as a fraction of the film's longest side. */
  readonly landmarkScatter: number;
  readonly disagreement: Disagreement;
  readonly landmarks: Landmarks;
  readonly ruler: VertebralRuler;
  readonly score: HeartScore;
  /** The gate rejected the film as a whole and accepted only the thorax on it. */
  readonly isThoraxAlone?: boolean;
  /** The file states a pixel aspect ratio or spacing that cannot be read. */
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
 * Judges a direct radiograph. `spread`, rounded to 6 decimals, is the largest of: the landmarks' scatter; the error
 * expected from disagreement, scaled so that the rule's limits equal those of the tiers; and the limit of `review` if
 * the geometry or the file is doubtful. The tier follows from `spread` by the table of section 2.8.
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

function tierOfSpread(spread: number): ConfidenceTier {
  if (spread < spreadLimits.optimal) return "optimal";
  return spread < spreadLimits.good ? "good" : "review";
}

/** Converts an expected error [v] to the scale of `spread`, on which the rule's limits equal those of the tiers. */
function spreadOfError(errorV: number, { goodFrom, reviewFrom }: DisagreementRule): number {
  const { optimal, good } = spreadLimits;
  if (errorV < goodFrom) return (errorV / goodFrom) * optimal;
  return optimal + ((errorV - goodFrom) / (reviewFrom - goodFrom)) * (good - optimal);
}

function roundSpread(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * Minimum pixels per vertebra of a photographed film for tier `optimal`. With fewer, one pixel on each axis changes the
 * VHS by more than its last displayed decimal (2 px / 20 px = 0.1 v), however sharp the heat maps are.
 */
const minVertebraPx = 20;

/**
 * Maximum blur of a photograph for `optimal` and `good` [v]. Needed because heat maps stay sharp on blurred borders.
 * Chosen on simulated photographs, plain and blurred by 6 and 11 px, of films that are not in the model card.
 */
const blurLimits = { optimal: 0.1, good: 0.17 } as const;

/**
 * Judges a photograph of a screen (section 2.8). A film border that contradicts itself, or a column whose vertebrae
 * shrink or grow as in no animal, requires a review, since the border was then found wrongly.
 *
 * @param sharpnessHigh  the pack's limit above which a heat map counts as sharp
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
    sharpness > sharpnessHigh && edgeBlurV <= blurLimits.optimal && meanVertebraPx(ruler) >= minVertebraPx;
  return { tier: reviewReasons.length > 0 ? "review" : isSharp ? "optimal" : "good", reviewReasons };
}

function meanVertebraPx({ edges }: VertebralRuler): number {
  const lengths = segmentLengthsPx(edges);
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

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

export function reviewReasonsOfPhotograph(ruler: VertebralRuler, score: HeartScore): readonly ReviewReason[] {
  return [
    ...(ruler.kind === "fallback" ? [reason("fallback_ruler")] : []),
    ...(score.isGeometryValid ? [] : geometryReasons(ruler, score)),
  ];
}

/** `geometry` if only the position of the heart remains as the cause. */
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

export function oneTierLower(tier: ConfidenceTier): ConfidenceTier {
  return tier === "optimal" ? "good" : "review";
}
