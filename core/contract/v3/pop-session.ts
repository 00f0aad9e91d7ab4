import { z } from "zod";
import { identifier } from "../../identifiers.ts";
import { billing, freeBilling } from "./billing.ts";
import { loaded } from "./health.ts";
import { details } from "./predict.ts";
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

/** `session_config` of a capture session (section 2.5). */
export const sessionConfig = { max_frames: 20, max_consecutive_failures: 5, session_ttl_seconds: 300 } as const;

export const popSessionStartRequest = z.object({});

export const popSessionRequest = z.object({
  image: base64Image,
  session_id: identifier,
  uuid: uuid.optional(),
  details: z
    .boolean()
    .optional()
    .meta({ description: "adds one object `details` to the prediction of a session that this frame completes" }),
});

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

/** `continue` after a failed frame; `reason` is "good frames so far/good frames needed". */
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
    rendered_image: renderedImage,
    details: details.optional(),
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

/** Response to a frame (section 4). */
export const popSessionResult = z.union([sessionGoodFrame, sessionFailedFrame, sessionComplete, sessionFailed]);

export type PopSessionStartResult = z.infer<typeof popSessionStartResult>;

export type FrameResult = z.infer<typeof frameResult>;

export type PopSessionResult = z.infer<typeof popSessionResult>;

export type SessionComplete = z.infer<typeof sessionComplete>;

export type SessionFailed = z.infer<typeof sessionFailed>;
