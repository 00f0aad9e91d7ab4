import { create } from "zustand";

type WrittenFindingsState = {
  /** Text by film; a film without one has its reading's. */
  readonly texts: Readonly<Record<string, string>>;
  readonly write: (filmId: string, text: string) => void;
  /** What has been saved, or whose film is gone. */
  readonly forget: (filmIds: readonly string[]) => void;
};

/**
 * Findings that were written and are not saved yet. They wait at their film while another one is open, another page is
 * looked at, or the networks measure it.
 */
export const useWrittenFindings = create<WrittenFindingsState>((set, get) => ({
  texts: {},
  write: (filmId, text) => set({ texts: { ...get().texts, [filmId]: text } }),
  forget: (filmIds) => {
    const { texts } = get();
    if (!filmIds.some((id) => id in texts)) return;
    set({ texts: Object.fromEntries(Object.entries(texts).filter(([id]) => !filmIds.includes(id))) });
  },
}));
