import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import {
  captureLifeMs,
  countFrame,
  goodFramesNeeded,
  isCaptureOver,
  isGoodFrame,
  type CaptureCount,
} from "../../../core/cardiac/capture-rules.ts";
import { combineFrames, sharpestFrame } from "../../../core/cardiac/combine-frames.ts";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { isBillable, resultDescriptions } from "../../../core/cardiac/result-codes.ts";
import {
  sessionConfig,
  type Billing,
  type FrameResult,
  type PopSessionResult,
  type PopSessionStartResult,
  type SessionComplete,
  type SessionFailed,
} from "../../../core/contract/v3.ts";
import type { PopFrame } from "../../inference/engine-types.ts";
import { decodeImage } from "../../imaging/decode-image.ts";
import {
  deletePopSessions,
  endPopSession,
  findPopSession,
  insertGoodFrame,
  insertPopSession,
  listGoodFrames,
  recordPopFrame,
  type PopSession,
  type PopSessionFrame,
} from "../../store/pop-sessions.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { recordAnsweredCall } from "./delivery.ts";
import { inTurn } from "../measuring/in-turn.ts";
import { predictionValues, throwIfGone, type ServiceCall } from "./predict.ts";
import { renderMeasurement } from "../measuring/render.ts";
import type { QueuePlaces } from "../measuring/work-queue.ts";

/** How long the answer that ended a session is given again [ms]. */
const replayMs = 300_000;

/** A frame sent to a session. */
export type SessionFrame = { readonly sessionId: string; readonly image: Uint8Array; readonly uuid: string | null };

/** An answer, and the id of the charge that stands when it is delivered; null for an answer that carries none. */
export type FrameAnswer = { readonly body: PopSessionResult; readonly chargeId: string | null };

/** Starts a capture session of the caller's key; without the PoP networks it says so, and frames are refused. */
export function startPopSession(context: ServiceContext, { caller }: ServiceCall): PopSessionStartResult {
  const id = randomUUID();
  insertPopSession(context.db, { id, ...caller, at: context.now() });
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
 * Takes one frame into a session. Frames of one session are taken one after the other, whatever order they arrive in;
 * those that wait for their turn have their places in the bounded queue already.
 *
 * @throws AppError SESSION_NOT_FOUND, POP_NOT_LOADED, BUSY, ABORTED, and what `decodeImage` throws (such a frame does
 * not count)
 */
export async function takeFrame(context: ServiceContext, call: ServiceCall, frame: SessionFrame): Promise<FrameAnswer> {
  const places = context.queue.reserve(1);
  try {
    return await inTurn(frame.sessionId, () => takeInTurn(context, call, frame, places));
  } finally {
    places.release();
  }
}

async function takeInTurn(
  context: ServiceContext,
  call: ServiceCall,
  frame: SessionFrame,
  places: QueuePlaces,
): Promise<FrameAnswer> {
  const session = currentSession(context, call, frame);
  if (session.terminalBody !== null)
    return terminalAnswer(session.id, JSON.parse(session.terminalBody) as SessionComplete | SessionFailed);
  if (isCaptureOver(session.startedAtMs, context.now().getTime()))
    return fail(context, session, session.framesProcessed, "session_timeout");
  if (!context.engine.health().isPopEnabled) throw new AppError("POP_NOT_LOADED");
  const measured = await places.run(
    async () => context.engine.measurePhotograph(await decodeImage(frame.image, call), call),
    call.signal,
  );
  throwIfGone(call.signal);
  return await advance(context, call, { ...session, uuid: frame.uuid ?? session.uuid }, measured);
}

/** Forgets sessions whose answers are no longer given, and with them every picture. */
export function purgePopSessions({ db, now }: ServiceContext): number {
  const nowMs = now().getTime();
  return deletePopSessions(db, {
    endedBefore: new Date(nowMs - replayMs),
    startedBefore: new Date(nowMs - captureLifeMs - replayMs),
  });
}

/**
 * A session that timed out while nobody looked ended when its time was over, so its answer too is given for 300 s from
 * then.
 */
function currentSession(context: ServiceContext, { caller }: ServiceCall, { sessionId }: SessionFrame): PopSession {
  const session = findPopSession(context.db, { id: sessionId, keyId: caller.keyId });
  if (!session) throw new AppError("SESSION_NOT_FOUND");
  const endedAtMs = session.endedAtMs ?? session.startedAtMs + captureLifeMs;
  if (context.now().getTime() - endedAtMs >= replayMs) throw new AppError("SESSION_NOT_FOUND");
  return session;
}

async function advance(
  context: ServiceContext,
  call: ServiceCall,
  session: PopSession,
  frame: PopFrame,
): Promise<FrameAnswer> {
  const frameIndex = session.framesProcessed;
  const kept = listGoodFrames(context.db, session.id);
  const isGood = isGoodFrame(frame.measurement);
  const { count, step } = countFrame({ ...session, goodFrames: kept.length }, isGood);
  const good = isGood && frame.film ? await goodFrameOf(frame, frameIndex, kept) : null;
  throwIfGone(call.signal);
  if (step === "complete" && good) return await complete(context, call, session, [...kept, good], frameIndex);
  if (step !== "continue" && step !== "complete") return fail(context, session, frameIndex, step);
  context.db
    .transaction(() => {
      recordPopFrame(context.db, { id: session.id, ...count, uuid: session.uuid });
      if (good) insertGoodFrame(context.db, session.id, good);
    })
    .immediate();
  return {
    body: good ? goodFrameBody(session, frame, count) : refusedFrameBody(session, frame, count),
    chargeId: null,
  };
}

async function goodFrameOf(
  { film, measurement }: Extract<PopFrame, { film: object }>,
  frameIndex: number,
  kept: readonly PopSessionFrame[],
): Promise<PopSessionFrame> {
  const isSharpest = kept.every((earlier) => measurement.sharpness > earlier.measurement.sharpness);
  return { frameIndex, measurement, film: isSharpest ? await film.toJpeg() : null };
}

function goodFrameBody({ id }: PopSession, frame: PopFrame, { goodFrames }: CaptureCount): PopSessionResult {
  return { session_id: id, session_status: "continue", good_frames: goodFrames, frame_result: frameResultOf(frame) };
}

function refusedFrameBody(
  { id }: PopSession,
  frame: PopFrame,
  { framesProcessed, goodFrames }: CaptureCount,
): PopSessionResult {
  const { resultCode } = frame.measurement;
  return {
    session_id: id,
    session_status: "continue",
    reason: `${goodFrames}/${goodFramesNeeded} good frames`,
    frame_index: framesProcessed - 1,
    frames_processed: framesProcessed,
    good_frames: goodFrames,
    result_code: resultCode,
    result_description: resultDescriptions[resultCode],
    frame_result: frameResultOf(frame),
    model_version: frame.measurement.provenance.modelVersion,
  };
}

function frameResultOf({ film, measurement }: PopFrame): FrameResult {
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
  frames: readonly PopSessionFrame[],
  frameIndex: number,
): Promise<FrameAnswer> {
  const measurement = combineFrames(frames.map((frame) => frame.measurement));
  const film = filmOfSharpest(frames);
  const rendered = await renderMeasurement(await decodeImage(film), measurement);
  throwIfGone(call.signal);
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
    },
    billing,
  });
  return endSession(context, session, [measurement], bodyOf);
}

function filmOfSharpest(frames: readonly PopSessionFrame[]): Buffer {
  const sharpest = sharpestFrame(frames.map((frame) => ({ film: frame.film, sharpness: frame.measurement.sharpness })));
  if (!sharpest.film) throw new Error("the sharpest frame has no film");
  return sharpest.film;
}

function fail(
  context: ServiceContext,
  session: PopSession,
  frameIndex: number,
  error: SessionFailed["error"],
): FrameAnswer {
  return endSession(context, session, [], (billing): SessionFailed => {
    if (billing.billable) throw new Error("a failed session was charged");
    return { session_id: session.id, session_status: "failed", frame_index: frameIndex, error, billing };
  });
}

/**
 * The charge and the answer that can be fetched again are written together; the session's id names the charge, so it is
 * one.
 */
function endSession(
  context: ServiceContext,
  session: PopSession,
  measurements: readonly MeasuredRadiograph[],
  bodyOf: (billing: Billing) => SessionComplete | SessionFailed,
): FrameAnswer {
  const at = context.now();
  const { id, accountId, keyId, uuid } = session;
  const end = context.db.transaction(() => {
    const billing = recordAnsweredCall(context, {
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
    });
    const body = bodyOf(billing);
    endPopSession(context.db, { id, at, terminalBody: JSON.stringify(body) });
    return body;
  });
  return terminalAnswer(id, end.immediate());
}

function terminalAnswer(sessionId: string, body: SessionComplete | SessionFailed): FrameAnswer {
  return { body, chargeId: body.session_status === "complete" ? sessionId : null };
}
