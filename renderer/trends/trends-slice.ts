import { create } from "zustand";

type TrendsState = {
  readonly patientId: string | null;
  /** Films marked for comparison, at most four, the one marked first goes when a fifth is marked. */
  readonly marked: readonly string[];
  readonly isComparing: boolean;
  readonly turnTo: (patientId: string) => void;
  readonly mark: (filmId: string) => void;
  /**
   * Of films that are listed no longer no mark is left, which nobody could take away: they were rejected, removed or
   * given away, and have nothing to compare. A comparison of fewer than two ends.
   */
  readonly unmarkOthers: (listed: readonly string[]) => void;
  readonly compare: (isComparing: boolean) => void;
};

const mostCompared = 4;

/** What is being compared of one patient; it stays while the user looks at other screens. */
export const useTrends = create<TrendsState>((set, get) => ({
  patientId: null,
  marked: [],
  isComparing: false,
  turnTo: (patientId) => {
    if (patientId !== get().patientId) set({ patientId, marked: [], isComparing: false });
  },
  mark: (filmId) => {
    const { marked } = get();
    set({
      marked: marked.includes(filmId) ? marked.filter((id) => id !== filmId) : [...marked, filmId].slice(-mostCompared),
    });
  },
  unmarkOthers: (listed) => {
    const marked = get().marked.filter((id) => listed.includes(id));
    if (marked.length === get().marked.length) return;
    set({ marked, isComparing: get().isComparing && marked.length >= 2 });
  },
  compare: (isComparing) => set({ isComparing }),
}));
