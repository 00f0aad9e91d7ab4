import { create } from "zustand";
import type { DesktopChannel, DesktopRequest } from "../../../core/contract/desktop.ts";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import { call } from "../connection.ts";
import { useNavigation } from "../navigation.ts";

type Action = Extract<DesktopChannel, "updates.check" | "updates.openFile" | "updates.later">;

type UpdatesState = {
  /** null until the program has said where updates stand. */
  readonly state: UpdateState | null;
  readonly receive: (state: UpdateState) => void;
  readonly ask: () => Promise<void>;
  readonly act: (action: Action) => Promise<void>;
  readonly configure: (change: DesktopRequest<"updates.configure">) => Promise<void>;
  /** Ends the program and installs what lies ready, unless a correction is unsaved or work is under way. */
  readonly install: () => Promise<void>;
};

/** What a release waits for before it can be installed; null for nothing. */
export function waitsFor({ outcome, release }: UpdateState) {
  if (outcome?.kind === "wait") return outcome.reason;
  return release?.waitsForOwner ? "owner" : null;
}

/** Where updates of the program stand. */
export const useUpdates = create<UpdatesState>((set) => ({
  state: null,
  receive: (state) => set({ state }),
  ask: async () => set({ state: await call("updates.get", {}) }),
  act: async (action) => set({ state: await call(action, {}) }),
  configure: async (change) => set({ state: await call("updates.configure", change) }),
  install: async () =>
    set({ state: await call("updates.install", { isUnsaved: useNavigation.getState().guard !== null }) }),
}));
