import { create } from "zustand";

type RemovalsState = {
  /** Undo functions of recent removals, latest last; emptied when an annotation is drawn. */
  readonly undos: readonly (() => void)[];
  readonly add: (undo: () => void) => void;
  readonly drop: (undo: () => void) => void;
  /** Drops all, since undo now applies to another action. */
  readonly forget: () => void;
};

export const useRemovals = create<RemovalsState>((set, get) => ({
  undos: [],
  add: (undo) => set({ undos: [...get().undos, undo] }),
  drop: (undo) => set({ undos: get().undos.filter((each) => each !== undo) }),
  forget: () => {
    if (get().undos.length > 0) set({ undos: [] });
  },
}));
