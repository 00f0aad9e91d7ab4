import { create } from "zustand";

type Texts = Readonly<Record<string, string>>;

type WrittenFindingsState = {
  readonly byPerson: Readonly<Record<string, Texts>>;
  /** The signed-in user; empty without sign-in, or while locked. */
  readonly personId: string;
  readonly write: (filmId: string, text: string) => void;
  readonly forget: (filmIds: readonly string[]) => void;
  readonly drop: (filmIds: readonly string[]) => void;
  readonly changePerson: (personId: string | null) => void;
};

const nobody = "";

/**
 * Unsaved findings by user and film. They are kept while another film or page is open, while the film is measured, and
 * while another user is signed in, who cannot see them.
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
    // Findings written before sign-in belong to the first user who signs in.
    set({ personId, byPerson: { ...byPerson, [personId]: { ...byPerson[personId], ...unowned } } });
  },
}));

export function writtenOn({ byPerson, personId }: WrittenFindingsState, filmId: string): string | undefined {
  return byPerson[personId]?.[filmId];
}

export function hasUnsavedFindings(): boolean {
  return Object.values(useWrittenFindings.getState().byPerson).some((texts) => Object.keys(texts).length > 0);
}

function without(texts: Texts = {}, filmIds: readonly string[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([id]) => !filmIds.includes(id)));
}
