import { create } from "zustand";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call } from "../connection.ts";
import { showFault } from "../faults.ts";
import { newestQuestion } from "../newest-question.ts";

type DriftState = {
  /** Measures whose newest readings lie off to one side of the networks' values. */
  readonly drifts: DesktopResponse<"agreement.drift">["drifts"];
  readonly load: () => Promise<void>;
  /** Somebody has decided about a film: it is looked again once no other decision follows. */
  readonly noteDecision: () => void;
};

/** Decisions in a row are one question [ms]. */
const settleMs = 1000;
const beginDrift = newestQuestion();
let waiting = 0;

/** Whether the networks have drifted off from the people who use them. */
export const useDrift = create<DriftState>((set, get) => ({
  drifts: [],
  load: async () => {
    const isNewest = beginDrift();
    const { drifts } = await call("agreement.drift", {});
    if (isNewest()) set({ drifts });
  },
  noteDecision: () => {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => get().load().catch(showFault), settleMs);
  },
}));
