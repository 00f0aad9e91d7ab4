import { z } from "zod";
import { reviewReasonKinds } from "../../cardiac/confidence.ts";
import { takenForKinds } from "../../cardiac/radiograph-measurement.ts";
import { rejectionReasons } from "../../cardiac/verdict/verdict-facts.ts";
import {
  corners,
  heartPoints,
  id,
  interval,
  measureFields,
  point,
  provenance,
  score,
  tier,
  time,
  verdictFacts,
  vertebralEdges,
} from "./shapes.ts";

/** Verdict of a user. `by_hand`: measured without a model. */
export const verdicts = ["accepted", "rejected", "corrected", "by_hand"] as const;

export const frameSize = z.object({ widthPx: z.int(), heightPx: z.int() });

/**
 * One version of the measurement of one film. Versions never change: the networks write one (`source` model), each
 * decision of a user adds another with the whole geometry. The last one is valid, the last one of the model is the
 * original.
 */
export const reading = z.object({
  id,
  filmId: id,
  /** 1, 2, … in the order of writing. */
  version: z.int().min(1),
  source: z.enum(["model", "person"]),
  /** null for the model's own reading. */
  verdict: z.enum(verdicts).nullable(),
  at: time,
  /** Name of the person; null for the model. */
  who: z.string().nullable(),
  remark: z.string(),
  /** Section 2.7; null if a user placed the points, because the code describes the networks. */
  resultCode: z.int().min(0).max(7).nullable(),
  /** Size of the processed film that all points refer to [px]; the film's own size is `film.widthPx`. */
  frame: frameSize,
  /** A photograph of a screen: the points refer to the rectified film (`film.urls.rectified`). */
  popDetected: z.boolean(),
  /** Film's corners in the photograph, TL,TR,BR,BL [px of the processed photograph]; null for a direct film. */
  corners: corners.nullable(),
  /** null when rejected (6), not rectified (7). */
  heart: heartPoints.nullable(),
  /** Every edge found from T4 on; empty when `heart` is null. */
  edges: z.array(point),
  /** The edges counted otherwise where the networks are not sure which vertebra is T4; null where they are. */
  otherCount: z
    .object({ direction: z.enum(["cranial", "caudal"]), edges: z.array(point).min(2) })
    .nullable()
    .default(null),
  /** Vertebrae of the ruler whose length differs from their neighbours', before it was evened; absent without any. */
  uneven: z.array(z.object({ index: z.int(), from: point, to: point, share: z.number() })).optional(),
  /** The ruler A–B that the score was read on; null when `heart` is null. */
  ruler: z.object({ edges: vertebralEdges, kind: z.enum(["detected", "fallback"]) }).nullable(),
  /** Silhouette of the heart on which the axes rest, a closed polygon; null where they do not. */
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
  /** Standard errors between films of one animal [v]; null for a pack that names none, or for a user's reading. */
  repeatErrors: z.object({ vhs: z.number(), vlas: z.number() }).nullable().default(null),
  /** null for a user's reading. */
  tier: tier.nullable(),
  /** Reasons for the tier `review`; absent in older readings. */
  reviewReasons: z
    .array(z.object({ kind: z.enum(reviewReasonKinds), value: z.number().nullable(), limit: z.number().nullable() }))
    .default([]),
  spread: z.number().nullable(),
  sharpness: z.number().nullable(),
  classifierConfidence: z.number().nullable(),
  /** Kind of a rejected image; absent for others, and if the gate does not distinguish kinds. */
  takenFor: z.enum(takenForKinds).optional(),
  /** A manual measurement in reader mode: the networks' result was hidden until the points were placed. */
  isBlind: z.boolean().optional(),
  /** Absent unless a user rejected the reading, and in readings of earlier versions. */
  rejectionReason: z.enum(rejectionReasons).optional(),
  /**
   * User who took back the rejection of a film that had not been measured. Such a version has the source `model` and
   * neither points nor values: the film has no result again.
   */
  takenBackBy: z.string().optional(),
  /** Time from which the version counts again, because a user took back the one after it; absent otherwise. */
  undoneAt: time.optional(),
  /** One set of the five heart points per member of the ensemble. Empty for a user's reading. */
  votes: z.array(heartPoints),
  provenance: provenance.nullable(),
});

/** The reading that counts, as the worklist shows it; values are null if it was rejected. */
export const readingSummary = z.object({
  readingId: id,
  version: z.int(),
  ...measureFields(z.number().nullable()),
  facts: verdictFacts,
  resultCode: z.int().min(0).max(7).nullable(),
  source: z.enum(["model", "person"]),
  verdict: z.enum(verdicts).nullable(),
  rejectionReason: z.enum(rejectionReasons).optional(),
  /** What decides which film of a study is the best one. */
  popDetected: z.boolean(),
  areAxesPerpendicular: z.boolean(),
  spread: z.number().nullable(),
  sharpness: z.number().nullable(),
});

export type Reading = z.infer<typeof reading>;
export type ReadingSummary = z.infer<typeof readingSummary>;
export type Verdict = (typeof verdicts)[number];
