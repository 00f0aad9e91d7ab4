import { create } from "zustand";
import type { UnopenedFile } from "../../../core/contract/desktop/films.ts";

type LeftAloneState = {
  readonly faulty: readonly UnopenedFile[];
  /** Files that are no films and do not claim to be. */
  readonly noFilms: readonly UnopenedFile[];
  /** Clears the list when other files are chosen. */
  readonly begin: () => void;
  readonly add: (files: {
    readonly faulty?: readonly UnopenedFile[];
    readonly noFilms?: readonly UnopenedFile[];
  }) => void;
  readonly dismiss: () => void;
};

const nothing = { faulty: [], noFilms: [] } as const;

/** Files of the last choice that are not on the worklist, each with its reason. */
export const useLeftAlone = create<LeftAloneState>((set) => ({
  ...nothing,
  begin: () => set(nothing),
  add: ({ faulty = [], noFilms = [] }) =>
    set((before) => ({ faulty: [...before.faulty, ...faulty], noFilms: [...before.noFilms, ...noFilms] })),
  dismiss: () => set(nothing),
}));
