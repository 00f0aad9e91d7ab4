import { create } from "zustand";

/** Which films are to be exported without names; null while nobody asks. */
export const useAnonymous = create<{
  readonly filmIds: readonly string[] | null;
  readonly ask: (filmIds: readonly string[]) => void;
  readonly close: () => void;
}>((set) => ({
  filmIds: null,
  ask: (filmIds) => set({ filmIds }),
  close: () => set({ filmIds: null }),
}));
