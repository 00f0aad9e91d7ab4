import { create } from "zustand";
import type { DraftState } from "../../../core/contract/desktop/practice/drafts.ts";
import { call } from "../connection.ts";
import { showFault } from "../faults.ts";

type DraftsState = {
  /** null until the program has said so, and where the store is in a file. */
  readonly state: DraftState | null;
  readonly ask: () => Promise<void>;
  readonly receive: (state: DraftState) => void;
  /** There may be more drafts, or fewer. */
  readonly noteFilms: () => void;
};

/** Whether films go to the practice's database, or are kept on this machine because it is away. */
export const useDrafts = create<DraftsState>((set, get) => ({
  state: null,
  ask: async () => set(await call("drafts.get", {})),
  noteFilms: () => {
    if (get().state?.isOnDrafts) get().ask().catch(showFault);
  },
  receive: (state) => set({ state }),
}));
