import { create } from "zustand";

/** Text by film. */
type Texts = Readonly<Record<string, string>>;

type WrittenFindingsState = {
  /** Everybody's texts by person. */
  readonly byPerson: Readonly<Record<string, Texts>>;
  /** Who is at the screen; empty where nobody signs in, or nobody is here. */
  readonly personId: string;
  readonly write: (filmId: string, text: string) => void;
  /** What the person at the screen has saved. */
  readonly forget: (filmIds: readonly string[]) => void;
  /** Whose film is gone, whoever wrote. */
  readonly drop: (filmIds: readonly string[]) => void;
  /** Somebody else is at the screen, or nobody. */
  readonly changePerson: (personId: string | null) => void;
};

const nobody = "";

/**
 * Findings that were written and are not saved yet. They wait at their film while another one is open, another page is
 * looked at, the networks measure it, or somebody else has signed in, who neither sees nor signs them.
 */
export const useWrittenFindings = create<WrittenFindingsState>((set, get) => ({
  byPerson: {},
  personId: nobody,
  write: (filmId, text) => {
    const { byPerson, personId } = get();
    set({ byPerson: { ...byPerson, [personId]: { ...byPerson[personId], [filmId]: text } } });
  },
  forget: (filmIds) => {
    const { byPerson, personId } = get();
    set({ byPerson: { ...byPerson, [personId]: without(byPerson[personId], filmIds) } });
  },
  drop: (filmIds) => {
    const left = Object.entries(get().byPerson).map(([personId, texts]) => [personId, without(texts, filmIds)]);
    set({ byPerson: Object.fromEntries(left) });
  },
  changePerson: (personId) => {
    const { [nobody]: unowned, ...byPerson } = get().byPerson;
    if (personId === null) return set({ personId: nobody });
    // What was written before anybody signed in belongs to whoever does first.
    set({ personId, byPerson: { ...byPerson, [personId]: { ...byPerson[personId], ...unowned } } });
  },
}));

/** What the person at the screen has written on a film; a film without has its reading's. */
export function writtenOn({ byPerson, personId }: WrittenFindingsState, filmId: string): string | undefined {
  return byPerson[personId]?.[filmId];
}

/** Whether anybody has findings that are not saved. */
export function hasUnsavedFindings(): boolean {
  return Object.values(useWrittenFindings.getState().byPerson).some((texts) => Object.keys(texts).length > 0);
}

function without(texts: Texts = {}, filmIds: readonly string[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([id]) => !filmIds.includes(id)));
}
