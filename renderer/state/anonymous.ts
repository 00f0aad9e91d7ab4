import { create } from "zustand";

/** An export that has a form with names and one without. */
type Choice = {
  /** Whose films the form without names holds: those of a patient, or all that somebody has decided about. */
  readonly films: { readonly patientId: string } | { readonly standing: "decided" };
  readonly withNames: () => void;
};

type AnonymousState = {
  /** Which films are to be exported without names; null while nobody asks. */
  readonly filmIds: readonly string[] | null;
  /** What waits for the answer to "with names or without?". */
  readonly choice: Choice | null;
  readonly ask: (filmIds: readonly string[]) => void;
  readonly choose: (choice: Choice) => void;
  readonly settle: () => void;
  readonly close: () => void;
};

/** Exports without names, and the question whether one is wanted. */
export const useAnonymous = create<AnonymousState>((set) => ({
  filmIds: null,
  choice: null,
  ask: (filmIds) => set({ filmIds }),
  choose: (choice) => set({ choice }),
  settle: () => set({ choice: null }),
  close: () => set({ filmIds: null }),
}));
