import { create } from "zustand";
import type { UnopenedFile } from "../../../core/contract/desktop/films.ts";

type LeftAloneState = {
  readonly faulty: readonly UnopenedFile[];
  readonly noFilms: readonly UnopenedFile[];
  readonly begin: () => void;
  readonly add: (files: {
    readonly faulty?: readonly UnopenedFile[];
    readonly noFilms?: readonly UnopenedFile[];
  }) => void;
  readonly dismiss: () => void;
};

const nothing = { faulty: [], noFilms: [] } as const;

/** Files of the latest selection that were not added to the worklist, with the reasons. */
export const useLeftAlone = create<LeftAloneState>((set) => ({
  ...nothing,
  begin: () => set(nothing),
  add: ({ faulty = [], noFilms = [] }) =>
    set((before) => ({ faulty: [...before.faulty, ...faulty], noFilms: [...before.noFilms, ...noFilms] })),
  dismiss: () => set(nothing),
}));
