import { create } from "zustand";
import type { DraftState } from "../../../core/contract/desktop/practice/drafts.ts";
import { call } from "../connection.ts";
import { showFault } from "../faults.ts";
import { useNavigation } from "../navigation.ts";

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
  ask: async () => {
    const { state } = await call("drafts.get", {});
    set({ state });
    follow(state);
  },
  noteFilms: () => {
    if (get().state?.isOnDrafts) get().ask().catch(showFault);
  },
  receive: (state) => {
    const wasOnDrafts = get().state?.isOnDrafts ?? state.isOnDrafts;
    set({ state });
    // The other store has other films, patients and settings.
    if (state.isOnDrafts !== wasOnDrafts) window.location.reload();
    else follow(state);
  },
}));

/** Goes on with the store that can be written, as soon as no correction would be lost by it. */
function follow(state: DraftState | null): void {
  if (state === null || useNavigation.getState().guard !== null) return;
  const step =
    state.isAway && !state.isOnDrafts
      ? "drafts.begin"
      : !state.isAway && (state.isOnDrafts || state.films > 0)
        ? "drafts.handOver"
        : null;
  if (step) call(step, {}).catch(showFault);
}

useNavigation.subscribe(({ guard }, before) => {
  if (guard === null && before.guard !== null) follow(useDrafts.getState().state);
});
