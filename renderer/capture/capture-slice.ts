import { create } from "zustand";
import type { CaptureCorners, CaptureSession } from "../../core/contract/desktop/capture.ts";
import { desktopRoutes } from "../../core/contract/desktop/routes.ts";
import { call, putBytes } from "../state/connection.ts";
import { faultText, showFault } from "../state/faults.ts";
import { frameOf } from "./camera.ts";

/** Frames are sent in the size of the detector's input, the outline needs less. */
const framePx = 1920;
const outlinePx = 720;
const outlinePauseMs = 250;

type CaptureState = {
  readonly session: CaptureSession | null;
  readonly corners: CaptureCorners | null;
  readonly fault: string | null;
  readonly start: (video: HTMLVideoElement, patientId: string | null) => Promise<void>;
  readonly cancel: () => Promise<void>;
  readonly followCorners: (video: HTMLVideoElement, signal: AbortSignal) => Promise<void>;
  readonly reset: () => void;
};

const isOpen = (session: CaptureSession | null) => session?.status === "ready" || session?.status === "continue";

/** A capture session: frames go out one after the other until it is complete or has failed. */
export const useCapture = create<CaptureState>((set, get) => ({
  session: null,
  corners: null,
  fault: null,
  start: async (video, patientId) => {
    try {
      await get().cancel();
      set({ fault: null, session: await call("capture.start", { patientId }) });
      await sendFrames(video, set, get);
    } catch (error) {
      set({ fault: faultText(error), session: null });
    }
  },
  cancel: async () => {
    const { session } = get();
    set({ session: null });
    if (session && isOpen(session)) await call("capture.cancel", { sessionId: session.sessionId });
  },
  followCorners: async (video, signal) => {
    while (!signal.aborted) {
      const frame = isOpen(get().session) ? null : await frameOf(video, outlinePx);
      if (frame) {
        try {
          set({ corners: await putBytes<CaptureCorners>(desktopRoutes.captureCorners, {}, frame, signal) });
        } catch (error) {
          if (signal.aborted) return;
          return set({ corners: null, fault: faultText(error) });
        }
      }
      await new Promise((resolve) => setTimeout(resolve, outlinePauseMs));
    }
  },
  reset: () => {
    get().cancel().catch(showFault);
    set({ corners: null, fault: null });
  },
}));

async function sendFrames(video: HTMLVideoElement, set: (change: Partial<CaptureState>) => void, get: () => CaptureState): Promise<void> {
  for (let { session } = get(); session && isOpen(session); session = get().session) {
    const { sessionId } = session;
    const frame = await frameOf(video, framePx);
    if (!frame) {
      await new Promise((resolve) => setTimeout(resolve, outlinePauseMs));
      continue;
    }
    const answer = await putBytes<CaptureSession>(desktopRoutes.captureFrame, { session: sessionId }, frame);
    // Cancelled or started again while the frame was on its way.
    if (get().session?.sessionId !== sessionId) return;
    set({ session: answer });
  }
}
