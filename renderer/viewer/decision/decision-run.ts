import { create } from "zustand";
import { useFilms } from "../../state/films/films.ts";

/** Films decided since the filters last changed. */
const useDecided = create<{ readonly filmIds: ReadonlySet<string> }>(() => ({ filmIds: new Set() }));

useFilms.subscribe(({ filters }, before) => {
  if (filters !== before.filters) useDecided.setState({ filmIds: new Set() });
});

/** Whether the worklist lists films to be decided, so that a decision opens the next film. */
export function isDecisionRun(): boolean {
  return useFilms.getState().filters.standing === "undecided";
}

export function countDecided(filmId: string): void {
  useDecided.setState(({ filmIds }) => ({ filmIds: new Set([...filmIds, filmId]) }));
}

export function removeFromDecided(filmId: string): void {
  useDecided.setState(({ filmIds }) => ({ filmIds: new Set([...filmIds].filter((id) => id !== filmId)) }));
}

/** Position of the open film among the films to be decided, from 1, and their number; null outside a decision run. */
export function useDecisionPlace(filmId: string): { readonly place: number; readonly all: number } | null {
  const isRun = useFilms(({ filters }) => filters.standing === "undecided");
  const { filmIds } = useDecided();
  // A decided film stays listed while it is open.
  const left = useFilms(({ films, total }) => total - (films ?? []).filter(({ id }) => filmIds.has(id)).length);
  if (!isRun) return null;
  const place = filmIds.size + (filmIds.has(filmId) ? 0 : 1);
  return { place, all: Math.max(place, left + filmIds.size) };
}
