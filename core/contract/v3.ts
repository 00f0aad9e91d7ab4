import { z } from "zod";
import { confidenceTiers, reviewReasonKinds } from "../cardiac/confidence.ts";
import { landmarkNames } from "../cardiac/landmarks.ts";
import { identifier } from "../identifiers.ts";

/** Most images in one request (section 8). */
const batchLimit = 10;
/** Order in which corners are sent and expected. */
export const cornerOrder = "TL,TR,BR,BL";
/** `session_config` of a capture session (section 2.5). */
export const sessionConfig = { max_frames: 20, max_consecutive_failures: 5, session_ttl_seconds: 300 } as const;

const base64Image = z
  .string()
  .min(1)
  .meta({ description: "base64 JPEG or PNG, at most 10 MB; a data: prefix is accepted", contentEncoding: "base64" });
/** An item that is not an image, or is empty, spoils only its own entry. */
const base64Images = z
  .array(z.string().meta({ contentEncoding: "base64" }))
  .min(1)
  .max(batchLimit);
const uuid = identifier.meta({
  ...identifier.meta(),
  description: "patient identifier: enables history and the 24 h recheck grace",
});
const score = z.number().nullable();
const tier = z.enum(confidenceTiers);
const integer = z.int();
const pointPx = z.tuple([z.number(), z.number()]).meta({ description: "[x, y] pixel coordinates" });
const cornersPx = z.tuple([pointPx, pointPx, pointPx, pointPx]);
const modelVersion = z.string().min(1);
const resultCode = integer.min(0).max(7);

const values = z.array(z.tuple([z.iso.datetime(), z.number()]));
/** Earlier values of one patient, oldest first: ISO 8601 UTC time stamp and score; null when no `uuid` was sent. */
const history = values.nullable();

/** An item of `prediction` (section 2.1); coordinates normalised to the image, origin top left. */
const landmark = z.strictObject({
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  class: z.enum(landmarkNames),
});
const landmarks = z.union([z.array(landmark).length(landmarkNames.length), z.array(landmark).length(0)]);

const volumeTier = z.enum(["paygo", "starter", "professional", "enterprise"]);
/** Billing object of a call that counted (section 2.6). */
const billableBilling = z.strictObject({
  billable: z.literal(true),
  reason: z.literal("valid_vhs"),
  call_type: z.enum(["single", "session"]),
  monthly_usage: integer.min(1),
  tier: volumeTier,
  rate: z.number().min(0).meta({ description: "US dollars" }),
});
/** Billing object of a call that cost nothing. */
const freeBilling = z.strictObject({
  billable: z.literal(false),
  reason: z.enum(["no_valid_vhs", "recheck_24h", "billing_error"]),
  monthly_usage: integer.min(0),
  tier: volumeTier,
});
/** Billing object (section 2.6). */
export const billing = z.discriminatedUnion("billable", [billableBilling, freeBilling]);

/** Body of `/v3/predict` and `/v3/predict/stream`: exactly one of `image` and `images`. */
export const predictRequest = z.object({
  image: base64Image.optional(),
  images: base64Images.optional(),
  uuid: uuid.optional(),
  render: z.boolean().optional(),
  details: z.boolean().optional().meta({ description: "adds one object `details` to each result" }),
});
export const popSessionStartRequest = z.object({});
export const popSessionRequest = z.object({ image: base64Image, session_id: identifier, uuid: uuid.optional() });
export const imageRequest = z.object({ image: base64Image });
export const rectifyRequest = z.object({ image: base64Image, corners: cornersPx });

const interval = z
  .strictObject({ low: z.number(), high: z.number(), coverage: z.number().gt(0).lt(1) })
  .nullable()
  .meta({ description: "holds the score [v] with this probability; null where the model pack was not calibrated" });
/** What a result says on request (`details: true`) beyond the specification. */
const details = z.strictObject({
  vhs_interval: interval,
  vlas_interval: interval,
  review_reasons: z.array(
    z.strictObject({ reason: z.enum(reviewReasonKinds), value: z.number().nullable(), limit: z.number().nullable() }),
  ),
  rectified_image: z
    .base64()
    .optional()
    .meta({ description: "JPEG of the straightened film of a photograph; `prediction` refers to it" }),
});

/** Single-image result (section 2.2). */
export const singleResult = z.strictObject({
  vhs: score,
  vlas: score,
  prediction: landmarks,
  result_code: resultCode.refine((code) => code !== 6),
  result_description: z.string(),
  model_confidence: tier,
  spread: score,
  pop_detected: z.boolean(),
  model_version: modelVersion,
  rendered_image: z.base64().optional(),
  historic_vhs: history,
  historic_vlas: history,
  billing,
  details: details.optional(),
});

/** Rejection result (section 2.3). */
const rejectionResult = z.strictObject({
  classifier_confidence: z.number().min(0).max(1),
  model_version: modelVersion,
  rejected: z.literal(true),
  rejection_reason: z.literal("not_a_valid_radiograph"),
  result_code: z.literal(6),
  result_description: z.string(),
  vhs: z.null(),
  vlas: z.null(),
  billing: freeBilling,
});

/** Scores of one photo, in `per_photo` and in the stream. */
const photoValues = {
  vhs: score,
  vlas: score,
  spread: score,
  model_confidence: tier,
  landmarks_detected: z.boolean(),
  axes_perpendicular: z.boolean(),
  details: details.optional(),
};

/**
 * Entry of `per_photo` (section 2.4). An item that is not an image is `rejected` with the reason and without
 * `classifier_confidence`.
 */
const perPhoto = z.strictObject({
  ...photoValues,
  pop_detected: z.boolean().optional(),
  rejected: z.literal(true).optional(),
  rejection_reason: z.string().optional(),
  classifier_confidence: z.number().min(0).max(1).optional(),
});

const summaryValues = {
  best_vhs: score,
  best_vlas: score,
  median_vhs: score,
  median_vlas: score,
  vhs_std: score,
  vlas_std: score,
  vhs_confidence: tier,
  vlas_confidence: tier,
  best_photo_index: integer.min(0).nullable(),
  n_photos_processed: integer.min(1).max(batchLimit),
  n_photos_with_landmarks: integer.min(0).max(batchLimit),
};
/** A batch without `uuid` has empty arrays of earlier values (section 2.4). */
const outcome = { historic_vhs: values, historic_vlas: values, model_version: modelVersion, billing };

/** Batch result (section 2.4). */
const batchResult = z.strictObject({
  vhs: score,
  vlas: score,
  ...summaryValues,
  processing_started: z.literal(true),
  per_photo: z.array(perPhoto).min(1).max(batchLimit),
  ...outcome,
});

/** Answer of `/v3/predict`. */
export const predictResult = z.union([singleResult, rejectionResult, batchResult]);

/** Data of the stream's events (section 6). */
export const streamEvents = {
  processing_started: z.strictObject({ n_images: integer.min(1).max(batchLimit), model_version: modelVersion }),
  photo: z.strictObject({
    index: integer.min(0),
    ...photoValues,
    n_total: integer.min(1).max(batchLimit),
    model_version: modelVersion,
  }),
  error: z.strictObject({ index: integer.min(0), uuid: z.string(), error: z.string().min(1) }),
  summary: z.strictObject({ ...summaryValues, ...outcome }),
} as const;

const loaded = {
  models_loaded: integer.min(0),
  pop_models_loaded: integer.min(0),
  pop_pipeline_enabled: z.boolean(),
  model_version: modelVersion,
};
export const healthResult = z.strictObject({ status: z.enum(["healthy", "degraded"]), ...loaded });

export const cornersResult = z.strictObject({
  corners: cornersPx,
  order: z.literal(cornerOrder),
  image_width: integer.min(1),
  image_height: integer.min(1),
  model_version: modelVersion,
});
const rectified = {
  rectified_image: z.base64(),
  width: integer.min(1),
  height: integer.min(1),
  model_version: modelVersion,
};
export const rectifyResult = z.strictObject(rectified);
export const preprocessResult = z.strictObject({ ...rectified, corners: cornersPx, order: z.literal(cornerOrder) });

export const popSessionStartResult = z.strictObject({
  session_id: z.string().min(1),
  session_status: z.literal("ready"),
  ...loaded,
  session_config: z.strictObject({
    max_frames: z.literal(sessionConfig.max_frames),
    max_consecutive_failures: z.literal(sessionConfig.max_consecutive_failures),
    session_ttl_seconds: z.literal(sessionConfig.session_ttl_seconds),
  }),
});
const frameResult = z.strictObject({
  vhs: score,
  vlas: score,
  spread: z.null(),
  model_confidence: tier,
  landmarks_detected: z.boolean(),
  pop_detected: z.boolean(),
});
const session = { session_id: z.string().min(1) };
/** `continue` after a good frame. */
const sessionGoodFrame = z.strictObject({
  ...session,
  session_status: z.literal("continue"),
  good_frames: integer.min(1),
  frame_result: frameResult,
});
/** `continue` after a failed frame; `reason` is "good frames so far/needed good frames". */
const sessionFailedFrame = z.strictObject({
  ...session,
  session_status: z.literal("continue"),
  reason: z.string().regex(/^\d+\/\d+ good frames$/),
  frame_index: integer.min(0),
  frames_processed: integer.min(1),
  good_frames: integer.min(0),
  result_code: resultCode,
  result_description: z.string(),
  frame_result: frameResult,
  model_version: modelVersion,
});
const sessionComplete = z.strictObject({
  ...session,
  session_status: z.literal("complete"),
  frame_index: integer.min(0),
  rectified_image: z.base64(),
  prediction: z.strictObject({
    vhs: score,
    vlas: score,
    prediction: landmarks,
    result_code: resultCode,
    result_description: z.string(),
    model_confidence: tier,
    spread: z.null(),
    model_version: modelVersion,
    rendered_image: z.base64(),
  }),
  billing,
});
const sessionFailed = z.strictObject({
  ...session,
  session_status: z.literal("failed"),
  frame_index: integer.min(0),
  error: z.enum(["max_frames_exceeded", "session_timeout", "max_consecutive_failures"]),
  billing: freeBilling,
});
/** Answer to a frame (section 4). */
export const popSessionResult = z.union([sessionGoodFrame, sessionFailedFrame, sessionComplete, sessionFailed]);

/** Body of every error of /v3 (section 7). */
export const errorBody = z.strictObject({ error: z.string().min(1) });

export type PredictRequest = z.infer<typeof predictRequest>;
export type Details = z.infer<typeof details>;
export type LandmarkItem = z.infer<typeof landmark>;
export type Billing = z.infer<typeof billing>;
export type History = z.infer<typeof history>;
export type SingleResult = z.infer<typeof singleResult>;
export type RejectionResult = z.infer<typeof rejectionResult>;
export type PerPhoto = z.infer<typeof perPhoto>;
export type BatchResult = z.infer<typeof batchResult>;
export type StreamEventName = keyof typeof streamEvents;
export type StreamEventData = { [Name in StreamEventName]: z.infer<(typeof streamEvents)[Name]> };
export type HealthResult = z.infer<typeof healthResult>;
export type CornersResult = z.infer<typeof cornersResult>;
export type RectifyResult = z.infer<typeof rectifyResult>;
export type PreprocessResult = z.infer<typeof preprocessResult>;
export type PopSessionStartResult = z.infer<typeof popSessionStartResult>;
export type FrameResult = z.infer<typeof frameResult>;
export type PopSessionResult = z.infer<typeof popSessionResult>;
export type SessionComplete = z.infer<typeof sessionComplete>;
export type SessionFailed = z.infer<typeof sessionFailed>;
