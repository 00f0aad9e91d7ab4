import type { Film } from "../../../core/contract/desktop/films.ts";

/** What was told last of each film, null of a removed one, and in which order. */
const told = new Map<string, { readonly film: Film | null; readonly at: number }>();
let count = 0;

export function noteTold(filmId: string, film: Film | null): void {
  told.set(filmId, { film, at: ++count });
}

/** How much has been told by now. */
export function toldSoFar(): number {
  return count;
}

/** What was told since then: the answer to a question that was asked before is older. */
export function toldSince(asked: number): ReadonlyMap<string, Film | null> {
  return new Map([...told].filter(([, { at }]) => at > asked).map(([id, { film }]) => [id, film]));
}
