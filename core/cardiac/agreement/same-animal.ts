import { dayMs } from "../../durations.ts";
import { shownChange } from "../shown-score.ts";

/** Difference of VHS within a day from which two films may show two animals [v], displayed in the texts. */
const doubtfulDifference = 3;

/** VHS of a film [v], unrounded. */
type DatedVhs = { readonly filmId: string; readonly atMs: number; readonly vhs: number };

export type SameAnimal = { readonly filmId: string; readonly otherId: string };

/**
 * Finds a film of the same patient and day whose heart differs so much that it may be another animal's.
 *
 * @param ofPatient  films of the patient
 * @param confirmed  pairs in any order, which are not doubted again
 * @returns          null without one
 */
export function filmOfOtherAnimal<Film extends DatedVhs>(
  film: DatedVhs,
  ofPatient: readonly Film[],
  confirmed: readonly SameAnimal[],
): Film | null {
  const isConfirmed = (otherId: string) =>
    confirmed.some((pair) => [pair.filmId, pair.otherId].sort().join() === [film.filmId, otherId].sort().join());
  const isDoubtful = ({ filmId, atMs, vhs }: Film) =>
    Math.abs(atMs - film.atMs) < dayMs &&
    Math.abs(shownChange(film.vhs, vhs)) >= doubtfulDifference &&
    !isConfirmed(filmId);
  return ofPatient.find(isDoubtful) ?? null;
}
