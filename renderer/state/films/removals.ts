import { create } from "zustand";

type RemovalsState = {
  /** Undo functions of recent removals, latest last; emptied when an annotation is drawn. */
  readonly waysBack: readonly (() => void)[];
  readonly add: (wayBack: () => void) => void;
  readonly drop: (wayBack: () => void) => void;
  /** Drops all, since undo now applies to another action. */
  readonly forget: () => void;
};

/** Removals that undo restores before annotations. */
export const useRemovals = create<RemovalsState>((set, get) => ({
  waysBack: [],
  add: (wayBack) => set({ waysBack: [...get().waysBack, wayBack] }),
  drop: (wayBack) => set({ waysBack: get().waysBack.filter((each) => each !== wayBack) }),
  forget: () => {
    if (get().waysBack.length > 0) set({ waysBack: [] });
  },
}));
