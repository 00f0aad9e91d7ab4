import { z } from "zod";
import { reviewReasonKinds } from "../../cardiac/confidence.ts";
import { billing, freeBilling } from "./billing.ts";
import {
  base64Image,
  integer,
  landmarks,
  modelVersion,
  renderedImage,
  resultCode,
  score,
  tier,
  uuid,
} from "./values.ts";

/** Maximum number of images in one request (section 8). */
const batchLimit = 10;

/** Items are not validated here, since an empty item or one that is not an image fails alone. */
const base64Images = z
  .array(z.string().meta({ contentEncoding: "base64" }))
  .min(1)
  .max(batchLimit);

const values = z.array(z.tuple([z.iso.datetime(), z.number()]));

/** Earlier values of one patient, oldest first: ISO 8601 UTC time stamp and score; null if no `uuid` was sent. */
const history = values.nullable();

/** Body of `/v3/predict` and `/v3/predict/stream`: exactly one of `image` and `images`, checked by the server. */
export const predictRequest = z
  .object({
    image: base64Image.optional(),
    images: base64Images.optional(),
    uuid: uuid.optional(),
    render: z
      .boolean()
      .optional()
      .meta({ description: "adds `rendered_image` to the result of `image`; without effect on `images` and streams" }),
    details: z.boolean().optional().meta({ description: "adds one object `details` to each result" }),
  })
  .meta({ oneOf: [{ required: ["image"] }, { required: ["images"] }] });

const interval = z
  .strictObject({ low: z.number(), high: z.number(), coverage: z.number().gt(0).lt(1) })
  .nullable()
  .meta({ description: "contains the score [v] with this probability; null if the model pack is not calibrated" });

/** Fields added to a result on request (`details: true`). */
export const details = z.strictObject({
  vhs_interval: interval,
  vlas_interval: interval,
  review_reasons: z.array(
    z.strictObject({ reason: z.enum(reviewReasonKinds), value: z.number().nullable(), limit: z.number().nullable() }),
  ),
  rectified_image: z
    .base64()
    .optional()
    .meta({ description: "JPEG of the rectified film of a photograph; `prediction` refers to it" }),
});

const rejectionConfidence = z
  .number()
  .min(0.5)
  .max(1)
  .meta({ description: "confidence in the rejection, 0.5 to 1, by any of the checks" });

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
  rendered_image: renderedImage.optional(),
  historic_vhs: history,
  historic_vlas: history,
  billing,
  details: details.optional(),
});

/** Rejection result (section 2.3). */
const rejectionResult = z.strictObject({
  classifier_confidence: rejectionConfidence,
  model_version: modelVersion,
  rejected: z.literal(true),
  rejection_reason: z.literal("not_a_valid_radiograph"),
  result_code: z.literal(6),
  result_description: z.string(),
  vhs: z.null(),
  vlas: z.null(),
  billing: freeBilling,
  details: details.optional(),
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

/** Entry of `per_photo` (section 2.4). An item that cannot be decoded is `rejected` with the reason. */
const perPhoto = z.strictObject({
  ...photoValues,
  pop_detected: z.boolean().optional(),
  rejected: z.literal(true).optional(),
  rejection_reason: z.string().optional(),
  classifier_confidence: rejectionConfidence.optional(),
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

/** Without `uuid`, the arrays of a batch's earlier values are empty (section 2.4). */
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

export type PredictRequest = z.infer<typeof predictRequest>;

export type Details = z.infer<typeof details>;

export type History = z.infer<typeof history>;

export type SingleResult = z.infer<typeof singleResult>;

export type RejectionResult = z.infer<typeof rejectionResult>;

export type PerPhoto = z.infer<typeof perPhoto>;

export type BatchResult = z.infer<typeof batchResult>;

export type StreamEventName = keyof typeof streamEvents;

export type StreamEventData = { [Name in StreamEventName]: z.infer<(typeof streamEvents)[Name]> };
