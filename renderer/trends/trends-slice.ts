import { create } from "zustand";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { call } from "../state/connection.ts";

type TrendsState = {
  readonly trend: DesktopResponse<"trends.get"> | null;
  /** Films marked for comparison, at most two, the one marked first goes when a third is marked. */
  readonly marked: readonly string[];
  readonly isComparing: boolean;
  readonly load: (patientId: string) => Promise<void>;
  readonly clear: () => void;
  readonly mark: (filmId: string) => void;
  readonly compare: (isComparing: boolean) => void;
};

/** The chosen patient's course. */
export const useTrends = create<TrendsState>((set, get) => ({
  trend: null,
  marked: [],
  isComparing: false,
  load: async (patientId) => {
    const trend = await call("trends.get", { patientId });
    const isOther = trend.patient.id !== get().trend?.patient.id;
    set({ trend, ...(isOther && { marked: [], isComparing: false }) });
  },
  clear: () => set({ trend: null, marked: [], isComparing: false }),
  mark: (filmId) => {
    const { marked } = get();
    set({ marked: marked.includes(filmId) ? marked.filter((id) => id !== filmId) : [...marked, filmId].slice(-2) });
  },
  compare: (isComparing) => set({ isComparing }),
}));
