import type { Disagreement } from "./disagreement.ts";
import type { RepeatErrors } from "./agreement/repeatability.ts";
import type { ConfidenceTier, ReviewReason } from "./confidence.ts";
import type { HeartScore } from "./heart-score.ts";
import type { Landmarks } from "./landmarks.ts";
import type { Corners, Point } from "./points.ts";
import type { ResultCode } from "./result-codes.ts";
import type { ScoreIntervals } from "./score-intervals.ts";
import type { UnevenVertebra } from "./ruler/even/uneven-vertebrae.ts";
import type { OtherCount, VertebralRuler } from "./ruler/vertebral-ruler.ts";

export type Provenance = {
  readonly imageSha256: string;
  readonly packName: string;
  readonly packVersion: string;
  readonly modelVersion: string;
  readonly programVersion: string;
  readonly isClinicallyValidated: boolean;
  /** That publisher, the fingerprint of its key, and who released the pack; absent for a pack that is not validated. */
  readonly release?:
    { readonly publisher: string; readonly fingerprint: string; readonly releasedBy: string } | undefined;
};

/** Pack of a value and the person who released it, flat for tables and files; null if unknown. */
export function packFacts(
  provenance: Pick<Provenance, "packName" | "packVersion" | "isClinicallyValidated" | "release"> | null,
) {
  const release = provenance?.isClinicallyValidated ? provenance.release : undefined;
  return {
    pack: provenance?.packName ?? null,
    packVersion: provenance?.packVersion ?? null,
    packReleasedBy: release?.releasedBy ?? null,
    packPublisher: release?.publisher ?? null,
  };
}

/** The columns of `packFacts` in a table of snake case, in its order. */
export const packColumns = ["pack", "pack_version", "pack_released_by", "pack_publisher"] as const;

/** Fields of every measured image. Lengths are pixels of the processed image. */
type Measured = {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Calibrated probability of the gate's answer, 0–1. */
  readonly classifierConfidence: number;
  readonly provenance: Provenance;
};

/** Kinds of rejected images. The page shows them; API responses do not. */
export const takenForKinds = ["frontal_chest", "abdomen", "other_radiograph", "photograph", "document"] as const;
export type TakenFor = (typeof takenForKinds)[number];

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
  /**
   * Four corners of the film in the photograph, TL,TR,BR,BL [px of the processed photograph]; null for a direct film.
   */
  readonly corners: Corners | null;
  /** In pixels of the processed film (for a photograph: of the rectified film). */
  readonly landmarks: Landmarks;
  readonly ruler: VertebralRuler;
  /**
   * Every vertebral edge that was found, cranial to caudal from T4, past Vertebra B; for correcting the ruler by hand.
   */
  readonly edges: readonly Point[];
  /** The edges counted otherwise where the networks are not sure which vertebra is T4; null where they are. */
  readonly otherCount: OtherCount | null;
  /** Vertebrae of the ruler whose length differs from their neighbours'; absent without any. */
  readonly uneven?: readonly UnevenVertebra[];
  /** The heart's silhouette, a closed polygon, where the axes rest on it; null where they rest on voted points. */
  readonly outline: readonly Point[] | null;
  /** RLAD of a direct film [v] and the end of its line, both from the outline; null or absent without one. */
  readonly rlad?: { readonly value: number; readonly point: Point } | null;
  readonly score: HeartScore;
  /** Intervals of the scores at the pack's calibrated probability; null without a calibration. */
  readonly intervals: ScoreIntervals | null;
  /** Standard errors between films of one animal; null for a pack that names none. */
  readonly repeatErrors?: RepeatErrors | null;
  readonly tier: ConfidenceTier;
  /** Why the tier is `review`; empty otherwise. */
  readonly reviewReasons: readonly ReviewReason[];
  /** Ensemble spread, 6 decimals; null for photographs of screens. */
  readonly spread: number | null;
  /** Mean heat-map sharpness, 0–1. */
  readonly sharpness: number;
  /** One set of landmarks per member of the ensemble: the cloud. */
  readonly votes: readonly Landmarks[];
  /** VHS of each member by itself [v], unrounded; those without one left out. */
  readonly memberVhs: readonly number[];
  readonly disagreement?: Disagreement;
};

export type RadiographMeasurement = RejectedImage | UnrectifiedImage | MeasuredRadiograph;
