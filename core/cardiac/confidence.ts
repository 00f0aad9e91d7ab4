import { perpendicularToleranceDeg, type HeartScore } from "./heart-score.ts";
import type { VertebralRuler } from "./ruler/vertebral-ruler.ts";

/** Confidence tiers, best first. */
export const confidenceTiers = ["optimal", "good", "review"] as const;

/** How far a measurement may be trusted without a second look. */
export type ConfidenceTier = (typeof confidenceTiers)[number];

/** Upper limits of the ensemble spread, exclusive (section 2.8). */
export const spreadLimits = { optimal: 0.005, good: 0.008 } as const;

/**
 * Members of an ensemble whose own VHS scatter more than this [v] are not sure of the scale, however close their points
 * lie. About nine in ten simulated films and films of the training, small copies of them included, stay below.
 */
const mostVhsScatter = 0.11;

export const reviewReasonKinds = [
  "no_score",
  "fallback_ruler",
  "spread",
  "member_scatter",
  "frame_scatter",
  "no_vlas",
  "axes_angle",
  "short_ruler",
  "geometry",
] as const;

/**
 * Why a measurement is to be reviewed.
 * `value` against `limit`: `spread` in parts of the longest side, `member_scatter` and `frame_scatter` standard
 * deviations of the VHS of an ensemble's members or of a session's photographs [v], `axes_angle` the angle and how far
 * it may be from a right one [deg], `short_ruler` the ruler and the short axis [v]; else null.
 */
export type ReviewReason = {
  readonly kind: (typeof reviewReasonKinds)[number];
  readonly value: number | null;
  readonly limit: number | null;
};

/**
 * A direct radiograph as its ensemble measured it; `vhsScatter` [v] is null where fewer than two members have a VHS.
 */
type DirectReading = {
  readonly spread: number;
  readonly vhsScatter: number | null;
  readonly ruler: VertebralRuler;
  readonly score: HeartScore;
};

/**
 * A photograph of a screen as its network measured it; `sharpness` is the mean probability mass within 3 cells of the
 * peak, 0–1.
 */
type PhotographReading = { readonly sharpness: number; readonly ruler: VertebralRuler; readonly score: HeartScore };

/** How far a measurement may be trusted: `review` exactly where there is a reason for it. */
export type Judgement = { readonly tier: ConfidenceTier; readonly reviewReasons: readonly ReviewReason[] };

/** Judges a direct radiograph: by geometry, by how far its networks agree, and by their spread (section 2.8). */
export function judgeDirect(reading: DirectReading): Judgement {
  return judged(reviewReasonsOfDirect(reading), reading.spread < spreadLimits.optimal);
}

/**
 * Judges a photograph of a screen: by geometry and heat-map sharpness (section 2.8).
 *
 * @param sharpnessHigh  the pack's own limit above which a heat map counts as sharp
 */
export function judgePhotograph({ sharpness, ruler, score }: PhotographReading, sharpnessHigh: number): Judgement {
  return judged(reviewReasonsOfPhotograph(ruler, score), sharpness > sharpnessHigh);
}

function judged(reviewReasons: readonly ReviewReason[], isOptimal: boolean): Judgement {
  return { tier: reviewReasons.length > 0 ? "review" : isOptimal ? "optimal" : "good", reviewReasons };
}

function reviewReasonsOfDirect({ spread, vhsScatter, ruler, score }: DirectReading): readonly ReviewReason[] {
  return [
    ...(score.vhs === null ? [reason("no_score")] : []),
    ...(ruler.kind === "fallback" ? [reason("fallback_ruler")] : []),
    ...(vhsScatter !== null && vhsScatter > mostVhsScatter
      ? [reason("member_scatter", vhsScatter, mostVhsScatter)]
      : []),
    ...(spread < spreadLimits.good ? [] : [reason("spread", spread, spreadLimits.good)]),
  ];
}

/** Why a photograph of a screen is to be reviewed; empty when it need not be. */
export function reviewReasonsOfPhotograph(ruler: VertebralRuler, score: HeartScore): readonly ReviewReason[] {
  return [
    ...(ruler.kind === "fallback" ? [reason("fallback_ruler")] : []),
    ...(score.isGeometryValid ? [] : geometryReasons(ruler, score)),
  ];
}

/** What of the geometry is not that of a lateral thorax; where the heart lies is left when nothing else is wrong. */
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

/** A reason with the figure that went past its limit, where it has one. */
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
