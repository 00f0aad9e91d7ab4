import { sessionConfig } from "../../contract/v3/pop-session.ts";
import type { MeasuredRadiograph, RadiographMeasurement } from "../radiograph-measurement.ts";
import { agreeingFrames, type CaptureFrame, type FilmMap } from "./agreeing-frames.ts";
import { combineFrames, type CombinedFrames } from "./combine-frames.ts";

export const goodFramesNeeded = 3;

/** Duration in which a capture session accepts frames [ms]. */
export const captureLifeMs = sessionConfig.session_ttl_seconds * 1000;

/** State of a capture session, used by the API and the window. */
export type CaptureState<Frame extends CaptureFrame> = {
  readonly framesProcessed: number;
  readonly consecutiveFailures: number;
  /** Frames that are good by themselves, in order. Whether they count depends on the others. */
  readonly candidates: readonly Frame[];
};

type CaptureStep = "continue" | "complete" | "max_frames_exceeded" | "max_consecutive_failures";

/** Progress of a session after a frame. `result` is set exactly if the session is complete. */
export type CaptureProgress<Frame extends CaptureFrame> = {
  readonly state: CaptureState<Frame>;
  readonly isGood: boolean;
  readonly goodFrames: number;
  readonly step: CaptureStep;
  readonly result: CombinedFrames<Frame> | null;
};

/** Whether a frame may count: corners found, rectified, valid geometry, tier `optimal` or `good`. */
export function isGoodAlone(measurement: RadiographMeasurement): measurement is MeasuredRadiograph {
  return measurement.kind === "measured" && measurement.score.isGeometryValid && measurement.tier !== "review";
}

/** A frame that arrives in time counts, however long its measurement takes. */
export function isCaptureOver(startedAtMs: number, nowMs: number): boolean {
  return nowMs - startedAtMs > captureLifeMs;
}

/**
 * Adds a measured frame, null if it is not good by itself. A frame counts if it enlarges the group of frames that show
 * one film and agree on its VHS, so a bad first frame costs only itself. Enough good frames complete a session even if
 * the last one reaches the frame limit, which is checked before consecutive failures.
 */
export async function takeCaptureFrame<Frame extends CaptureFrame>(
  before: CaptureState<Frame>,
  frame: Frame | null,
  mapOf: FilmMap,
): Promise<CaptureProgress<Frame>> {
  const agreed = await agreeingFrames(before.candidates, goodFramesNeeded, mapOf);
  const candidates = frame ? [...before.candidates, frame] : before.candidates;
  const agreeing = frame ? await agreeingFrames(candidates, goodFramesNeeded, mapOf) : agreed;
  const isGood = agreeing.length > agreed.length;
  const state = {
    framesProcessed: before.framesProcessed + 1,
    consecutiveFailures: isGood ? 0 : before.consecutiveFailures + 1,
    candidates,
  };
  const step = stepOf(state, agreeing.length);
  const result = step === "complete" ? await combineFrames(agreeing, mapOf) : null;
  return { state, isGood, goodFrames: agreeing.length, step, result };
}

function stepOf(
  { framesProcessed, consecutiveFailures }: Omit<CaptureState<CaptureFrame>, "candidates">,
  goodFrames: number,
): CaptureStep {
  if (goodFrames >= goodFramesNeeded) return "complete";
  if (framesProcessed >= sessionConfig.max_frames) return "max_frames_exceeded";
  return consecutiveFailures >= sessionConfig.max_consecutive_failures ? "max_consecutive_failures" : "continue";
}
