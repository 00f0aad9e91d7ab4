import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import {
  captureLifeMs,
  goodFramesNeeded,
  isCaptureOver,
  takeCaptureFrame,
  type CaptureProgress,
} from "../../../core/cardiac/capture/capture-session.ts";
import { temporaryFaultOf } from "../../../core/system-fault.ts";
import type { CombinedFrames } from "../../../core/cardiac/capture/combine-frames.ts";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { isBillable, resultDescriptions } from "../../../core/cardiac/result-codes.ts";
import type { Billing } from "../../../core/contract/v3/billing.ts";
import {
  sessionConfig,
  type FrameResult,
  type PopSessionResult,
  type PopSessionStartResult,
  type SessionComplete,
  type SessionFailed,
} from "../../../core/contract/v3/pop-session.ts";
import { decodeImage } from "../../imaging/decode-image.ts";
import type { WritableDb } from "../../store/database.ts";
import { transaction } from "../../store/engines/engine.ts";
import {
  deletePopSessions,
  endPopSession,
  findPopSession,
  insertCandidateFrame,
  insertPopSession,
  listCandidateFrames,
  recordPopFrame,
  type PopSession,
} from "../../store/calls/pop-sessions.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { measureFrame, reopenedFrame, type FilmFrame, type MeasuredFrame } from "../measuring/capture-frames.ts";
import { unrecorded } from "./billing.ts";
import { detailsOf } from "./details.ts";
import { recordAnsweredCall } from "./delivery.ts";
import { filmMapOf } from "../measuring/film-maps.ts";
import { runInSequence } from "../measuring/run-in-sequence.ts";
import { predictionValues, throwIfAborted, type ServiceCall } from "./predict.ts";
import { renderMeasurement } from "../measuring/render.ts";
import type { QueuePlaces } from "../measuring/work-queue.ts";

/** Time for which the final response of a session is repeated [ms]. */
const replayMs = 300_000;

export type SessionFrame = {
  readonly sessionId: string;
  readonly image: Uint8Array;
  readonly uuid: string | null;
  readonly isDetailed: boolean;
};

/** `chargeId`: the charge that the delivery confirms. */
export type FrameAnswer = { readonly body: PopSessionResult; readonly chargeId: string | null };

/** Without the PoP networks the response reports so, and frames are rejected. */
export async function startPopSession(
  context: ServiceContext,
  { caller }: ServiceCall,
): Promise<PopSessionStartResult> {
  const id = randomUUID();
  await insertPopSession(context.db, { id, ...caller, at: context.now() });
  const health = context.engine.health();
  return {
    session_id: id,
    session_status: "ready",
    pop_pipeline_enabled: health.isPopEnabled,
    models_loaded: health.modelsLoaded,
    pop_models_loaded: health.popModelsLoaded,
    model_version: health.modelVersion,
    session_config: { ...sessionConfig },
  };
}

/**
 * Adds a frame. Frames of a session are processed in order of arrival; a waiting one already occupies its slot in the
 * bounded queue. If another workstation records a frame first, this frame follows it.
 *
 * @throws AppError SESSION_NOT_FOUND, MODELS_NOT_LOADED, POP_NOT_LOADED, BUSY, ABORTED, and errors of `decodeImage`
 *   (such a frame does not count)
 */
export async function takeFrame(context: ServiceContext, call: ServiceCall, frame: SessionFrame): Promise<FrameAnswer> {
  const receivedAtMs = context.now().getTime();
  using places = context.queue.reserve(1);
  return await runInSequence(frame.sessionId, () => processInSequence(context, call, frame, places, receivedAtMs));
}

async function processInSequence(
  context: ServiceContext,
  call: ServiceCall,
  frame: SessionFrame,
  places: QueuePlaces,
  receivedAtMs: number,
): Promise<FrameAnswer> {
  let measured: MeasuredFrame | null = null;
  for (;;) {
    const session = await currentSession(context, call, frame);
    if (session.terminalBody !== null)
      return terminalAnswer(session.id, JSON.parse(session.terminalBody) as SessionComplete | SessionFailed);
    // A frame received in time counts regardless of waiting and measuring time.
    const isOver = measured === null && isCaptureOver(session.startedAtMs, receivedAtMs);
    if (!isOver) measured ??= await measureFrame(context, places, frame.image, call.signal);
    throwIfAborted(call.signal);
    const answer =
      isOver || measured === null
        ? await fail(context, session, session.framesProcessed, "session_timeout")
        : await advance(context, call, { ...session, uuid: frame.uuid ?? session.uuid }, measured, frame.isDetailed);
    if (answer !== null) return answer;
  }
}

/** Deletes sessions whose responses are no longer repeated. */
export function purgePopSessions({ db, now }: ServiceContext): Promise<number> {
  const nowMs = now().getTime();
  return deletePopSessions(db, {
    endedBefore: new Date(nowMs - replayMs),
    startedBefore: new Date(nowMs - captureLifeMs - replayMs),
  });
}

/** A session that timed out counts as ended at its deadline, so its response is repeated for 300 s from then. */
async function currentSession(
  context: ServiceContext,
  { caller }: ServiceCall,
  { sessionId }: SessionFrame,
): Promise<PopSession> {
  const session = await findPopSession(context.db, { id: sessionId, keyId: caller.keyId });
  if (!session) throw new AppError("SESSION_NOT_FOUND");
  const endedAtMs = session.endedAtMs ?? session.startedAtMs + captureLifeMs;
  if (context.now().getTime() - endedAtMs >= replayMs) throw new AppError("SESSION_NOT_FOUND");
  return session;
}

/** @returns null if another workstation has advanced or ended the session */
async function advance(
  context: ServiceContext,
  call: ServiceCall,
  session: PopSession,
  frame: MeasuredFrame,
  isDetailed: boolean,
): Promise<FrameAnswer | null> {
  const frameIndex = session.framesProcessed;
  const kept = (await listCandidateFrames(context.db, session.id)).map((row) =>
    reopenedFrame(row.measurement, row.film),
  );
  const { candidate } = frame;
  const before = { ...session, candidates: await Promise.all(kept) };
  const progress = await takeCaptureFrame(before, candidate, filmMapOf(session.id, call.signal));
  const { state, step, result } = progress;
  throwIfAborted(call.signal);
  if (result) return complete(context, call, session, result, { frameIndex, isDetailed });
  if (step === "max_frames_exceeded" || step === "max_consecutive_failures")
    return fail(context, session, frameIndex, step);
  const isTaken = await transaction(context.db, async () => {
    if (!(await isUnchanged(context.db, session))) return false;
    await recordPopFrame(context.db, { ...state, id: session.id, uuid: session.uuid });
    if (candidate) await insertCandidateFrame(context.db, session.id, { ...candidate, frameIndex });
    return true;
  });
  return isTaken ? { body: frameBody(session, frame, progress), chargeId: null } : null;
}

function frameBody(
  { id }: PopSession,
  frame: MeasuredFrame,
  { state, isGood, goodFrames }: CaptureProgress<FilmFrame>,
): PopSessionResult {
  const common = { session_id: id, session_status: "continue", frame_result: frameResultOf(frame) } as const;
  if (isGood) return { ...common, good_frames: goodFrames };
  const { resultCode } = frame.measurement;
  return {
    ...common,
    reason: `${goodFrames}/${goodFramesNeeded} good frames`,
    frame_index: state.framesProcessed - 1,
    frames_processed: state.framesProcessed,
    good_frames: goodFrames,
    result_code: resultCode,
    result_description: resultDescriptions[resultCode],
    model_version: frame.measurement.provenance.modelVersion,
  };
}

function frameResultOf({ film, measurement }: MeasuredFrame): FrameResult {
  const values = predictionValues(measurement);
  return {
    vhs: values.vhs,
    vlas: values.vlas,
    spread: null,
    model_confidence: values.model_confidence,
    landmarks_detected: values.prediction.length > 0,
    pop_detected: film !== null,
  };
}

async function complete(
  context: ServiceContext,
  call: ServiceCall,
  session: PopSession,
  { measurement, drawnOn: { film } }: CombinedFrames<FilmFrame>,
  { frameIndex, isDetailed }: { readonly frameIndex: number; readonly isDetailed: boolean },
): Promise<FrameAnswer | null> {
  const rendered = await renderMeasurement(await decodeImage(film), measurement);
  const details = isDetailed ? await detailsOf({ image: null, measurement }) : null;
  throwIfAborted(call.signal);
  const bodyOf = (billing: Billing): SessionComplete => ({
    session_id: session.id,
    session_status: "complete",
    frame_index: frameIndex,
    rectified_image: film.toString("base64"),
    prediction: {
      ...predictionValues(measurement),
      spread: null,
      model_version: measurement.provenance.modelVersion,
      rendered_image: rendered.toString("base64"),
      ...(details && { details }),
    },
    billing,
  });
  return endSession(context, session, [measurement], bodyOf);
}

function fail(
  context: ServiceContext,
  session: PopSession,
  frameIndex: number,
  error: SessionFailed["error"],
): Promise<FrameAnswer | null> {
  return endSession(context, session, [], (billing): SessionFailed => {
    if (billing.billable) throw new Error("a failed session was charged");
    return { session_id: session.id, session_status: "failed", frame_index: frameIndex, error, billing };
  });
}

/**
 * Writes the charge and the repeatable response in one transaction. The session id identifies the charge, so it is
 * written once. If the store cannot be written, the response is sent once, unbilled.
 */
async function endSession(
  context: ServiceContext,
  session: PopSession,
  measurements: readonly MeasuredRadiograph[],
  bodyOf: (billing: Billing) => SessionComplete | SessionFailed,
): Promise<FrameAnswer | null> {
  const at = context.now();
  const { id, accountId, keyId, uuid } = session;
  const metered = {
    callId: id,
    accountId,
    keyId,
    uuid,
    at,
    answerUntil: new Date(at.getTime() + replayMs),
    service: "cardiac",
    callType: "session",
    isBillable: measurements.some(({ resultCode }) => isBillable(resultCode)),
    measurements,
  } as const;
  try {
    const answer = await transaction(context.db, async () => {
      if (!(await isUnchanged(context.db, session))) return null;
      const body = bodyOf(await recordAnsweredCall(context, metered));
      await endPopSession(context.db, { id, at, terminalBody: JSON.stringify(body) });
      return body;
    });
    return answer && terminalAnswer(id, answer);
  } catch (error) {
    if (temporaryFaultOf(error) === null) throw error;
    const billing = await unrecorded(context.db, metered, error, context.reportFault);
    return { body: bodyOf(billing), chargeId: null };
  }
}

async function isUnchanged(db: WritableDb, { id, keyId, framesProcessed }: PopSession): Promise<boolean> {
  const now = await findPopSession(db, { id, keyId });
  return now !== null && now.endedAtMs === null && now.framesProcessed === framesProcessed;
}

function terminalAnswer(sessionId: string, body: SessionComplete | SessionFailed): FrameAnswer {
  return { body, chargeId: body.session_status === "complete" ? sessionId : null };
}
