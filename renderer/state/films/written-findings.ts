import { create } from "zustand";

/** Text by film. */
type Texts = Readonly<Record<string, string>>;

type WrittenFindingsState = {
  /** Of the person at the screen; a film without a text has its reading's. */
  readonly texts: Texts;
  /** Whose texts those are; null where nobody signs in, or nobody is here. */
  readonly personId: string | null;
  /** Of the others, by person: they go on where they stopped. */
  readonly ofOthers: Readonly<Record<string, Texts>>;
  readonly write: (filmId: string, text: string) => void;
  /** What the person at the screen has saved. */
  readonly forget: (filmIds: readonly string[]) => void;
  /** Whose film is gone, whoever wrote. */
  readonly drop: (filmIds: readonly string[]) => void;
  /** Somebody else is at the screen, or nobody. */
  readonly changePerson: (personId: string | null) => void;
};

/**
 * Findings that were written and are not saved yet. They wait at their film while another one is open, another page is
 * looked at, the networks measure it, or somebody else has signed in, who neither sees nor signs them.
 */
export const useWrittenFindings = create<WrittenFindingsState>((set, get) => ({
  texts: {},
  personId: null,
  ofOthers: {},
  write: (filmId, text) => set({ texts: { ...get().texts, [filmId]: text } }),
  forget: (filmIds) => {
    if (filmIds.some((id) => id in get().texts)) set({ texts: without(get().texts, filmIds) });
  },
  drop: (filmIds) => {
    get().forget(filmIds);
    const others = Object.entries(get().ofOthers).map(([personId, texts]) => [personId, without(texts, filmIds)]);
    set({ ofOthers: Object.fromEntries(others) });
  },
  changePerson: (personId) => {
    const { texts, personId: before, ofOthers } = get();
    if (personId === before) return;
    // What was written before anybody signed in belongs to whoever does first.
    const left = before === null ? ofOthers : { ...ofOthers, [before]: texts };
    const own = { ...left[personId ?? ""], ...(before === null && texts) };
    set({ personId, texts: personId === null ? {} : own, ofOthers: left });
  },
}));

/** Whether anybody has findings that are not saved. */
export function hasUnsavedFindings(): boolean {
  const { texts, ofOthers } = useWrittenFindings.getState();
  return [texts, ...Object.values(ofOthers)].some((some) => Object.keys(some).length > 0);
}

function without(texts: Texts, filmIds: readonly string[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([id]) => !filmIds.includes(id)));
}
