import { create } from "zustand";

type Choice = {
  /** Films of the export without names: those of a patient, or all films with a decision. */
  readonly films: { readonly patientId: string } | { readonly standing: "decided" };
  readonly withNames: () => void;
};

type AnonymousState = {
  /** Films to export without names; null while the dialog is closed. */
  readonly filmIds: readonly string[] | null;
  readonly choice: Choice | null;
  readonly ask: (filmIds: readonly string[]) => void;
  readonly choose: (choice: Choice) => void;
  readonly settle: () => void;
  readonly close: () => void;
};

export const useAnonymous = create<AnonymousState>((set) => ({
  filmIds: null,
  choice: null,
  ask: (filmIds) => set({ filmIds }),
  choose: (choice) => set({ choice }),
  settle: () => set({ choice: null }),
  close: () => set({ filmIds: null }),
}));
