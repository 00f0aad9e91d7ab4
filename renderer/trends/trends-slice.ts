import { create } from "zustand";

type TrendsState = {
  readonly patientId: string | null;
  /** Films selected for comparison, at most four; a fifth replaces the one selected first. */
  readonly marked: readonly string[];
  readonly isComparing: boolean;
  /** Whether the comparison was opened from a film of the worklist, to which closing it returns. */
  readonly isFromFilm: boolean;
  /** Films for which the comparison with the previous visit has opened. */
  readonly hung: ReadonlySet<string>;
  readonly turnTo: (patientId: string) => void;
  readonly mark: (filmId: string) => void;
  /** Deselects films that are no longer listed. Ends a comparison of fewer than two films. */
  readonly unmarkOthers: (listed: readonly string[]) => void;
  readonly compare: (isComparing: boolean) => void;
  /** @param filmIds  the film opened from the worklist comes last */
  readonly compareFilms: (patientId: string, filmIds: readonly string[]) => void;
};

const maxCompared = 4;

export const useTrends = create<TrendsState>((set, get) => ({
  patientId: null,
  marked: [],
  isComparing: false,
  isFromFilm: false,
  hung: new Set(),
  turnTo: (patientId) => {
    if (patientId !== get().patientId) set({ patientId, marked: [], isComparing: false });
  },
  mark: (filmId) => {
    const { marked } = get();
    set({
      marked: marked.includes(filmId) ? marked.filter((id) => id !== filmId) : [...marked, filmId].slice(-maxCompared),
    });
  },
  unmarkOthers: (listed) => {
    const marked = get().marked.filter((id) => listed.includes(id));
    if (marked.length === get().marked.length) return;
    set({ marked, isComparing: get().isComparing && marked.length >= 2 });
  },
  compare: (isComparing) => set({ isComparing, isFromFilm: false }),
  compareFilms: (patientId, filmIds) =>
    set({
      patientId,
      marked: filmIds,
      isComparing: true,
      isFromFilm: true,
      hung: new Set([...get().hung, ...filmIds.slice(-1)]),
    }),
}));
