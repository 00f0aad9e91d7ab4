import { z } from "zod";
import type { Channels } from "../channel.ts";
import { id, point, tier } from "./shapes.ts";

const captureStatuses = ["ready", "continue", "complete", "failed"] as const;

export const captureSession = z.object({
  sessionId: id,
  status: z.enum(captureStatuses),
  framesProcessed: z.int(),
  goodFrames: z.int(),
  goodFramesNeeded: z.int(),
  maxFrames: z.int(),
  secondsLeft: z.int(),
  /** `reason` is set if `isGood` is false. */
  lastFrame: z
    .object({
      isGood: z.boolean(),
      reason: z.string().nullable(),
      vhs: z.number().nullable(),
      vlas: z.number().nullable(),
      tier,
    })
    .nullable(),
  /** Set if `status` is `failed`. */
  error: z.enum(["max_frames_exceeded", "session_timeout", "max_consecutive_failures"]).nullable(),
  /** Set if `status` is `complete`: the rectified film, now on the worklist with its reading. */
  filmId: id.nullable(),
});

/** Response of `PUT /app/capture/corners`: TL,TR,BR,BL [px of the uploaded picture]; null if none were found. */
export const captureCorners = z.object({
  corners: z.array(point).length(4).nullable(),
  widthPx: z.int(),
  heightPx: z.int(),
});

/** Frames are uploaded as JPEG to `PUT /app/capture/frames?session=<id>`, which returns a `captureSession`. */
export const captureContract = {
  "capture.start": {
    request: z.strictObject({ patientId: id.nullable() }),
    response: captureSession,
    permission: "prepare",
    isAvailableWithoutDatabase: true,
  },
  "capture.cancel": {
    request: z.strictObject({ sessionId: id }),
    response: z.object({ sessionId: id }),
    permission: "prepare",
    isAvailableWithoutDatabase: true,
  },
} as const satisfies Channels;

export type CaptureSession = z.infer<typeof captureSession>;
export type CaptureCorners = z.infer<typeof captureCorners>;
