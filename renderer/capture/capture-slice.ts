import { create } from "zustand";
import type { CaptureCorners, CaptureSession } from "../../core/contract/desktop/capture.ts";
import { desktopRoutes } from "../../core/contract/desktop/routes.ts";
import { call, ProgramError, putBytes } from "../state/connection.ts";
import { faultText, showFault } from "../state/faults.ts";
import { frameOf } from "./camera.ts";

/** Frames are sent in the size of the detector's input, the outline needs less. */
const framePx = 1920;
const outlinePx = 720;
const outlinePauseMs = 250;
/** Delay after a failed detection: its cause rarely disappears at once. */
const outlineRetryMs = 2000;
/**
 * Hand and focus move on between two frames: they show the film differently, and a moment of shake does not end the
 * session.
 */
const framePauseMs = 600;

type CaptureState = {
  readonly session: CaptureSession | null;
  readonly corners: CaptureCorners | null;
  readonly fault: string | null;
  /** Why outline detection fails now; detection continues, and the next success clears it. */
  readonly outlineFault: string | null;
  readonly start: (video: HTMLVideoElement, patientId: string | null) => Promise<void>;
  readonly cancel: () => Promise<void>;
  readonly followCorners: (video: HTMLVideoElement, signal: AbortSignal) => Promise<void>;
  readonly reset: () => void;
};

/** Aborted once the session is cancelled or followed by another one. */
let currentRun = new AbortController();

function beginRun(): AbortSignal {
  currentRun.abort();
  currentRun = new AbortController();
  return currentRun.signal;
}

const isOpen = (session: CaptureSession | null) => session?.status === "ready" || session?.status === "continue";

/** A capture session: frames are sent sequentially until it is complete or has failed. */
export const useCapture = create<CaptureState>((set, get) => ({
  session: null,
  corners: null,
  fault: null,
  outlineFault: null,
  start: async (video, patientId) => {
    let { signal } = currentRun;
    try {
      await get().cancel();
      signal = beginRun();
      const session = await call("capture.start", { patientId });
      // Stopped, or the screen left, while the session was being opened.
      if (signal.aborted) return void (await call("capture.cancel", { sessionId: session.sessionId }));
      set({ fault: null, session });
      await sendFrames(video, set, get);
    } catch (error) {
      // A failure of a session that was cancelled or replaced is not shown.
      if (!signal.aborted) set({ fault: faultText(error), session: null });
    }
  },
  cancel: async () => {
    const { session } = get();
    beginRun();
    set({ session: null });
    if (session && isOpen(session)) await call("capture.cancel", { sessionId: session.sessionId });
  },
  followCorners: async (video, signal) => {
    while (!signal.aborted) {
      try {
        const frame = isOpen(get().session) ? null : await frameOf(video, outlinePx);
        const corners = frame && (await putBytes<CaptureCorners>(desktopRoutes.captureCorners, {}, frame, signal));
        if (corners) set({ corners, outlineFault: null });
      } catch (error) {
        if (signal.aborted) return;
        if (!isBusy(error)) set({ corners: null, outlineFault: faultText(error) });
      }
      await pause(get().outlineFault === null ? outlinePauseMs : outlineRetryMs);
    }
  },
  reset: () => {
    get().cancel().catch(showFault);
    set({ corners: null, fault: null, outlineFault: null });
  },
}));

async function sendFrames(
  video: HTMLVideoElement,
  set: (change: Partial<CaptureState>) => void,
  get: () => CaptureState,
): Promise<void> {
  for (let { session } = get(); session && isOpen(session); session = get().session) {
    const { sessionId } = session;
    const frame = await frameOf(video, framePx);
    if (get().session?.sessionId !== sessionId) return;
    const answer = frame && (await sendFrame(sessionId, frame));
    // Cancelled or started again while the frame was on its way.
    if (get().session?.sessionId !== sessionId) return;
    if (answer) set({ session: answer });
    if (isOpen(get().session)) await pause(framePauseMs);
  }
}

/** null when the queue is full: such a frame does not count, and the next one comes soon. */
async function sendFrame(sessionId: string, frame: Blob): Promise<CaptureSession | null> {
  try {
    return await putBytes<CaptureSession>(desktopRoutes.captureFrame, { session: sessionId }, frame);
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof ProgramError && error.code === "BUSY";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
