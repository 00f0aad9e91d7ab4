import { create } from "zustand";

type RemovalsState = {
  /** The ways back of what was removed, the latest last, while it can be taken back and nothing was drawn since. */
  readonly waysBack: readonly (() => void)[];
  readonly add: (wayBack: () => void) => void;
  /** It was gone, or is over. */
  readonly drop: (wayBack: () => void) => void;
  /** Something else is what a step back means from now on. */
  readonly forget: () => void;
};

/** What a step back means before any drawing: films that were removed a moment ago. */
export const useRemovals = create<RemovalsState>((set, get) => ({
  waysBack: [],
  add: (wayBack) => set({ waysBack: [...get().waysBack, wayBack] }),
  drop: (wayBack) => set({ waysBack: get().waysBack.filter((each) => each !== wayBack) }),
  forget: () => {
    if (get().waysBack.length > 0) set({ waysBack: [] });
  },
}));
