import type { Disagreement } from "./disagreement.ts";
import type { RepeatErrors } from "./agreement/repeatability.ts";
import type { ConfidenceTier, ReviewReason } from "./confidence.ts";
import type { HeartScore } from "./heart-score.ts";
import type { Landmarks } from "./landmarks.ts";
import type { Corners, Point } from "./points.ts";
import type { Provenance } from "./verdict/provenance.ts";
import type { ResultCode } from "./result-codes.ts";
import type { ScoreIntervals } from "./score-intervals.ts";
import type { UnevenVertebra } from "./ruler/even/uneven-vertebrae.ts";
import type { OtherCount, VertebralRuler } from "./ruler/vertebral-ruler.ts";

/** Fields common to all results. Lengths are pixels of the processed image. */
type Measured = {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Calibrated probability of the gate's class, 0–1. */
  readonly classifierConfidence: number;
  readonly provenance: Provenance;
};

/** Classes of rejected images. Shown in the page, not returned by the API. */
export const rejectedKinds = ["frontal_chest", "abdomen", "other_radiograph", "photograph", "document"] as const;
export type TakenFor = (typeof rejectedKinds)[number];

/** Not a lateral thoracic radiograph (result code 6). */
export type RejectedImage = Measured & {
  readonly kind: "rejected";
  readonly resultCode: 6;
  /** Absent if the gate's pack does not distinguish them. */
  readonly takenFor?: TakenFor;
};

/** A photograph of a screen whose film could not be found (result code 7). */
export type UnrectifiedImage = Measured & { readonly kind: "unrectified"; readonly resultCode: 7 };

/** An image on which landmarks were placed (result codes 0–5). */
export type MeasuredRadiograph = Measured & {
  readonly kind: "measured";
  readonly resultCode: Exclude<ResultCode, 6 | 7>;
  readonly popDetected: boolean;
  /** Corners of the film in the photograph, TL,TR,BR,BL [px of the processed photograph]; null for a direct film. */
  readonly corners: Corners | null;
  /** In pixels of the processed film, or of the rectified film of a photograph. */
  readonly landmarks: Landmarks;
  readonly ruler: VertebralRuler;
  /** Detected vertebral edges from T4 caudally, also beyond Vertebra B; needed to correct the ruler by hand. */
  readonly edges: readonly Point[];
  /** Alternative count of the edges if the networks are not sure which vertebra is T4; null otherwise. */
  readonly otherCount: OtherCount | null;
  /** Vertebrae of the ruler whose length differs from that of their neighbours; absent if there are none. */
  readonly uneven?: readonly UnevenVertebra[];
  /** Silhouette of the heart that defines the axes, a closed polygon; null if they come from voted points. */
  readonly outline: readonly Point[] | null;
  /** RLAD of a direct film [v] and the end of its line, both from the outline. */
  readonly rlad?: { readonly value: number; readonly point: Point } | null;
  readonly score: HeartScore;
  /** Intervals of the scores at the pack's calibrated probability; null without a calibration. */
  readonly intervals: ScoreIntervals | null;
  /** Standard errors between films of one animal; null if the pack states none. */
  readonly repeatErrors?: RepeatErrors | null;
  readonly tier: ConfidenceTier;
  /** Why the tier is `review`; empty otherwise. */
  readonly reviewReasons: readonly ReviewReason[];
  /** Ensemble spread, rounded to 6 decimals; null for photographs of screens. */
  readonly spread: number | null;
  /** Mean heat-map sharpness, 0–1. */
  readonly sharpness: number;
  /** Landmarks by member of the ensemble, shown as the point cloud. */
  readonly votes: readonly Landmarks[];
  readonly disagreement?: Disagreement;
};

export type RadiographMeasurement = RejectedImage | UnrectifiedImage | MeasuredRadiograph;
