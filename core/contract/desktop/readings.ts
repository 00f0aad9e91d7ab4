import { z } from "zod";
import { repeatErrors } from "../../cardiac/agreement/repeatability.ts";
import { reviewReasonKinds } from "../../cardiac/confidence.ts";
import { provenance } from "../../cardiac/verdict/provenance.ts";
import { rejectedKinds } from "../../cardiac/radiograph-measurement.ts";
import { rejectionReasons, verdictFactsShape } from "../../cardiac/verdict/verdict-facts.ts";
import {
  corners,
  heartPoints,
  id,
  interval,
  measureFields,
  point,
  score,
  tier,
  time,
  vertebralEdges,
} from "./shapes.ts";

/** Verdict of a user. `by_hand`: the user placed all points. */
export const verdicts = ["accepted", "rejected", "corrected", "by_hand"] as const;

export const frameSize = z.object({ widthPx: z.int(), heightPx: z.int() });

/**
 * Versions are immutable: the networks write one (`source` model), each decision of a user adds another with the
 * complete geometry. The last version is current, the last one by the networks is the original.
 */
export const reading = z.object({
  id,
  filmId: id,
  /** 1, 2, … in the order of writing. */
  version: z.int().min(1),
  source: z.enum(["model", "person"]),
  verdict: z.enum(verdicts).nullable(),
  at: time,
  /** Name of the user; null for readings of the networks. */
  who: z.string().nullable(),
  remark: z.string(),
  /** Section 2.7; null if a user placed the points, because the code describes the networks. */
  resultCode: z.int().min(0).max(7).nullable(),
  /** Size of the processed film that all points refer to [px]; the film's own size is `film.widthPx`. */
  frame: frameSize,
  /** A photograph of a screen: the points refer to the rectified film (`film.urls.rectified`). */
  popDetected: z.boolean(),
  /** Corners of the film in the photograph, TL,TR,BR,BL [px of the processed photograph]; null for a direct film. */
  corners: corners.nullable(),
  /** null if rejected (6) or not rectified (7). */
  heart: heartPoints.nullable(),
  /** All detected edges from T4 on; empty if `heart` is null. */
  edges: z.array(point),
  /** Alternative count of the edges if the networks are not sure which vertebra is T4; null otherwise. */
  otherCount: z
    .object({ direction: z.enum(["cranial", "caudal"]), edges: z.array(point).min(2) })
    .nullable()
    .default(null),
  /** Vertebrae of the ruler whose length differed from that of their neighbours before it was evened. */
  uneven: z.array(z.object({ index: z.int(), from: point, to: point, share: z.number() })).optional(),
  /** Ruler A–B of the score; null if `heart` is null. */
  ruler: z.object({ edges: vertebralEdges, kind: z.enum(["detected", "fallback"]) }).nullable(),
  /** Silhouette of the heart from which the axes are derived, a closed polygon; null if they are not. */
  outline: z.array(point).min(3).nullable().default(null),
  score: score.nullable(),
  /** Intervals of the scores with probability `coverage`; null without a calibration, or for a user's reading. */
  intervals: z
    .object({
      coverage: z.number(),
      ...measureFields(interval.nullable()),
    })
    .nullable()
    .default(null),
  /** Standard errors between films of one animal [v]; null if the pack states none, or for a user's reading. */
  repeatErrors: repeatErrors.nullable().default(null),
  /** null for a user's reading. */
  tier: tier.nullable(),
  reviewReasons: z
    .array(z.object({ kind: z.enum(reviewReasonKinds), value: z.number().nullable(), limit: z.number().nullable() }))
    .default([]),
  spread: z.number().nullable(),
  sharpness: z.number().nullable(),
  classifierConfidence: z.number().nullable(),
  /** Kind of a rejected image; absent for other images, and if the gate does not distinguish kinds. */
  takenFor: z.enum(rejectedKinds).optional(),
  /** A manual measurement in reader mode: the networks' result was hidden until the points were placed. */
  isBlind: z.boolean().optional(),
  rejectionReason: z.enum(rejectionReasons).optional(),
  /** User who undid the rejection of an unmeasured film. The version has the source `model` but no points or values. */
  takenBackBy: z.string().optional(),
  /** Time from which the version is current again, because a user undid the following one; absent otherwise. */
  undoneAt: time.optional(),
  /** Heart points by member of the ensemble; empty for a user's reading. */
  votes: z.array(heartPoints),
  provenance: provenance.nullable(),
});

/** The current reading, as shown on the worklist; values are null if it was rejected. */
export const readingSummary = z.object({
  readingId: id,
  version: z.int(),
  ...measureFields(z.number().nullable()),
  facts: verdictFactsShape,
  resultCode: z.int().min(0).max(7).nullable(),
  source: z.enum(["model", "person"]),
  verdict: z.enum(verdicts).nullable(),
  rejectionReason: z.enum(rejectionReasons).optional(),
  /** The following fields determine the best film of a study. */
  popDetected: z.boolean(),
  areAxesPerpendicular: z.boolean(),
  spread: z.number().nullable(),
  sharpness: z.number().nullable(),
});

export type Reading = z.infer<typeof reading>;
export type ReadingSummary = z.infer<typeof readingSummary>;
export type Verdict = (typeof verdicts)[number];
