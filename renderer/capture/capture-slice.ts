import { create } from "zustand";
import type { CaptureCorners, CaptureSession } from "../../core/contract/desktop/capture.ts";
import { desktopRoutes } from "../../core/contract/desktop/routes.ts";
import { call, ProgramError, uploadBytes } from "../state/connection.ts";
import { faultText, showFault } from "../state/faults.ts";
import { frameOf } from "./camera.ts";

/** Longest side of a frame, as the detector's input; the outline needs fewer pixels. */
const framePx = 1920;
const outlinePx = 720;
const outlinePauseMs = 250;
/** Delay after a failed detection: its cause rarely disappears at once. */
const outlineRetryMs = 2000;
/** Pause between two frames, so that they differ and a brief shake does not end the session. */
const framePauseMs = 600;

type CaptureState = {
  readonly session: CaptureSession | null;
  readonly corners: CaptureCorners | null;
  readonly fault: string | null;
  /** Why outline detection currently fails; it continues, and its next success clears this. */
  readonly outlineFault: string | null;
  /** Aborted when the session is cancelled or another one starts. */
  readonly run: AbortController;
  readonly start: (video: HTMLVideoElement, patientId: string | null) => Promise<void>;
  readonly cancel: () => Promise<void>;
  readonly followCorners: (video: HTMLVideoElement, signal: AbortSignal) => Promise<void>;
  readonly reset: () => void;
};

const isOpen = (session: CaptureSession | null) => session?.status === "ready" || session?.status === "continue";

export const useCapture = create<CaptureState>((set, get) => ({
  session: null,
  corners: null,
  fault: null,
  outlineFault: null,
  run: new AbortController(),
  start: async (video, patientId) => {
    const cancelled = get().cancel();
    const { signal } = get().run;
    try {
      await cancelled;
      const session = await call("capture.start", { patientId });
      // The session was stopped or the screen left while it was being opened.
      if (signal.aborted) return void (await call("capture.cancel", { sessionId: session.sessionId }));
      set({ fault: null, session });
      await sendFrames(video, set, get);
    } catch (error) {
      if (!signal.aborted) set({ fault: faultText(error), session: null });
    }
  },
  cancel: async () => {
    const { session, run } = get();
    run.abort();
    set({ session: null, run: new AbortController() });
    if (session && isOpen(session)) await call("capture.cancel", { sessionId: session.sessionId });
  },
  followCorners: async (video, signal) => {
    while (!signal.aborted) {
      try {
        const frame = isOpen(get().session) ? null : await frameOf(video, outlinePx);
        const corners = frame && (await uploadBytes<CaptureCorners>(desktopRoutes.captureCorners, {}, frame, signal));
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
    // The session was cancelled or restarted during the upload.
    if (get().session?.sessionId !== sessionId) return;
    if (answer) set({ session: answer });
    if (isOpen(get().session)) await pause(framePauseMs);
  }
}

/** Uploads a frame; returns null if the queue is full, in which case the frame does not count. */
async function sendFrame(sessionId: string, frame: Blob): Promise<CaptureSession | null> {
  try {
    return await uploadBytes<CaptureSession>(desktopRoutes.captureFrame, { session: sessionId }, frame);
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
