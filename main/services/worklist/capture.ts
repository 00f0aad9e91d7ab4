import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import {
  captureLifeMs,
  goodFramesNeeded,
  isCaptureOver,
  takeCaptureFrame,
  type CaptureProgress,
  type CaptureState,
} from "../../../core/cardiac/capture/capture-session.ts";
import type { CombinedFrames } from "../../../core/cardiac/capture/combine-frames.ts";
import { resultDescriptions } from "../../../core/cardiac/result-codes.ts";
import type { CaptureSession } from "../../../core/contract/desktop/capture.ts";
import { sessionConfig } from "../../../core/contract/v3/pop-session.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { addFilmToWorklist } from "./films.ts";
import { publishFilm } from "./film-events.ts";
import { measureFrame, type FilmFrame, type MeasuredFrame } from "../measuring/capture-frames.ts";
import { filmMapOf } from "../measuring/film-maps.ts";
import { runInSequence } from "../measuring/run-in-sequence.ts";
import { appendModelReading } from "./readings/model-reading.ts";
import type { QueuePlaces } from "../measuring/work-queue.ts";

/** Held in memory. */
export type CaptureSessions = ReturnType<typeof createCaptureSessions>;

type Session = {
  readonly id: string;
  readonly patientId: string | null;
  readonly startedAtMs: number;
  /** Candidates are cleared when the session ends, so that no picture is kept longer. */
  state: CaptureState<FilmFrame>;
  goodFrames: number;
  status: CaptureSession["status"];
  lastFrame: CaptureSession["lastFrame"];
  error: CaptureSession["error"];
  filmId: string | null;
};

/** Requests to a finished session can be repeated. */
const sessionsKept = 8;

export function createCaptureSessions(context: DesktopContext) {
  const sessions = new Map<string, Session>();
  const find = (sessionId: string): Session => {
    const session = sessions.get(sessionId);
    if (!session) throw new AppError("SESSION_NOT_FOUND");
    return session;
  };
  return {
    start(patientId: string | null) {
      const session: Session = {
        id: randomUUID(),
        patientId,
        startedAtMs: context.now().getTime(),
        state: { framesProcessed: 0, consecutiveFailures: 0, candidates: [] },
        goodFrames: 0,
        status: "ready",
        lastFrame: null,
        error: null,
        filmId: null,
      };
      sessions.set(session.id, session);
      for (const oldest of [...sessions.keys()].slice(0, -sessionsKept)) sessions.delete(oldest);
      return toView(context, session);
    },
    cancel: (sessionId: string) => void sessions.delete(sessionId),
    // A waiting frame already occupies its slot in the bounded queue.
    /**
     * @throws AppError SESSION_NOT_FOUND, MODELS_NOT_LOADED, POP_NOT_LOADED, BUSY, ABORTED, INVALID_IMAGE (such a frame
     * does not count)
     */
    addFrame(sessionId: string, jpeg: Uint8Array, signal: AbortSignal) {
      const receivedAtMs = context.now().getTime();
      return withPlace(context, (places) =>
        runInSequence(sessionId, async () => {
          const session = find(sessionId);
          if (session.error === null && session.filmId === null && !hasTimedOut(session, receivedAtMs)) {
            const frame = await measureFrame(context, places, jpeg, signal);
            if (!sessions.has(sessionId)) return toView(context, session);
            const mapOf = filmMapOf(sessionId, signal);
            const progress = await takeCaptureFrame(session.state, frame.candidate, mapOf);
            if (sessions.has(sessionId)) await applyProgress(context, session, frame, progress);
          }
          return toView(context, session);
        }),
      );
    },
    /** For the outline. @throws AppError POP_NOT_LOADED, BUSY, ABORTED, INVALID_IMAGE */
    findCorners: (jpeg: Uint8Array, signal: AbortSignal) =>
      withPlace(context, (places) =>
        places.run(
          jpeg,
          async (decode) => {
            const photo = await decode();
            const corners = await context.engine.findCorners(photo, { signal });
            return { corners: corners && [...corners], widthPx: photo.fullWidthPx, heightPx: photo.fullHeightPx };
          },
          signal,
        ),
      ),
  };
}

async function applyProgress(
  context: DesktopContext,
  session: Session,
  frame: MeasuredFrame,
  { state, step, result, isGood, goodFrames }: CaptureProgress<FilmFrame>,
): Promise<void> {
  session.state = state;
  session.goodFrames = goodFrames;
  session.status = "continue";
  session.lastFrame = describe(frame, isGood);
  if (result) await complete(context, session, result);
  else if (step === "max_frames_exceeded" || step === "max_consecutive_failures") fail(session, step);
}

function hasTimedOut(session: Session, receivedAtMs: number): boolean {
  const isOver = isCaptureOver(session.startedAtMs, receivedAtMs);
  if (isOver) fail(session, "session_timeout");
  return isOver;
}

function fail(session: Session, error: NonNullable<CaptureSession["error"]>): void {
  session.status = "failed";
  session.error = error;
  clearFrames(session);
}

function clearFrames(session: Session): void {
  session.state = { ...session.state, candidates: [] };
}

async function complete(
  context: DesktopContext,
  session: Session,
  { measurement, drawnOn: { film: bytes } }: CombinedFrames<FilmFrame>,
): Promise<void> {
  const name = `capture-${context.now().toISOString().slice(0, 19).replaceAll(":", "-")}.jpg`;
  const { patientId } = session;
  const file = { name, bytes, origin: "capture", patientId, measurement } as const;
  const { film, isNew } = await addFilmToWorklist(context, file);
  if (!isNew) await appendModelReading(context, film.id, measurement);
  session.status = "complete";
  session.filmId = film.id;
  clearFrames(session);
  if (!isNew) await publishFilm(context, film.id);
}

async function withPlace<T>(context: DesktopContext, work: (places: QueuePlaces) => Promise<T>): Promise<T> {
  using places = context.queue.reserve(1);
  return await work(places);
}

/** Reason for ignoring a good frame. */
const otherFilm = "The frame does not agree with the other frames";

function describe(
  { measurement, candidate }: MeasuredFrame,
  isGood: boolean,
): NonNullable<CaptureSession["lastFrame"]> {
  const reason = isGood ? null : candidate ? otherFilm : resultDescriptions[measurement.resultCode];
  if (measurement.kind !== "measured") return { isGood, reason, vhs: null, vlas: null, tier: "review" };
  const { score, tier } = measurement;
  return { isGood, reason, vhs: score.vhs, vlas: score.vlas, tier };
}

function secondsLeft(context: DesktopContext, session: Session): number {
  return (session.startedAtMs + captureLifeMs - context.now().getTime()) / 1000;
}

function toView(context: DesktopContext, session: Session): CaptureSession {
  const { id, status, state, goodFrames, lastFrame, error, filmId } = session;
  return {
    sessionId: id,
    status,
    framesProcessed: state.framesProcessed,
    lastFrame,
    error,
    filmId,
    goodFrames,
    goodFramesNeeded,
    maxFrames: sessionConfig.max_frames,
    secondsLeft: Math.max(0, Math.ceil(secondsLeft(context, session))),
  };
}
