import { sessionConfig } from "../contract/v3.ts";
import type { MeasuredRadiograph, RadiographMeasurement } from "./radiograph-measurement.ts";

/** Good frames that complete a capture session. */
export const goodFramesNeeded = 3;

/** How long a capture session takes frames [ms]. */
export const captureLifeMs = sessionConfig.session_ttl_seconds * 1000;

/** What a capture session has counted so far. */
export type CaptureCount = {
  readonly framesProcessed: number;
  readonly consecutiveFailures: number;
  readonly goodFrames: number;
};

/** What one frame makes of a session. */
export type CaptureStep = "continue" | "complete" | "max_frames_exceeded" | "max_consecutive_failures";

/** Corners found, rectified, valid geometry, tier `optimal` or `good`: only such a frame counts towards the result. */
export function isGoodFrame(measurement: RadiographMeasurement): measurement is MeasuredRadiograph {
  return measurement.kind === "measured" && measurement.score.isGeometryValid && measurement.tier !== "review";
}

/**
 * Whether a session's time is over; it is asked when a frame comes, so that one that came in time counts however long
 * it is measured.
 */
export function isCaptureOver(startedAtMs: number, nowMs: number): boolean {
  return nowMs - startedAtMs > captureLifeMs;
}

/**
 * Counts a measured frame. Enough good frames complete a session even with its last frame; most frames go before
 * failures in a row.
 */
export function countFrame(
  before: CaptureCount,
  isGood: boolean,
): { readonly count: CaptureCount; readonly step: CaptureStep } {
  const count = {
    framesProcessed: before.framesProcessed + 1,
    consecutiveFailures: isGood ? 0 : before.consecutiveFailures + 1,
    goodFrames: before.goodFrames + (isGood ? 1 : 0),
  };
  return { count, step: stepOf(count) };
}

function stepOf({ framesProcessed, consecutiveFailures, goodFrames }: CaptureCount): CaptureStep {
  if (goodFrames >= goodFramesNeeded) return "complete";
  if (framesProcessed >= sessionConfig.max_frames) return "max_frames_exceeded";
  return consecutiveFailures >= sessionConfig.max_consecutive_failures ? "max_consecutive_failures" : "continue";
}
