import { z } from "zod";
import { dayMs } from "../../durations.ts";
import { normal975 } from "./student-t.ts";

/** Number of pairs from which their deviation is displayed. */
export const minSameDayPairs = 10;

/** Number of pairs from which their deviation replaces the errors stated by the pack. */
export const minUsedPairs = 30;

/** Maximum number of pairs used; those of the most recently accepted films. */
export const maxSameDayPairs = 1_000;

/** Standard error of a film from the practice's same-day pairs [v], the heart's phase included, and their number. */
const practiceErrorShape = z.object({ deviation: z.number(), pairs: z.int() });

/** By measure; null for fewer pairs than `minUsedPairs`. */
export const practiceErrors = z.object({ vhs: practiceErrorShape.nullable(), vlas: practiceErrorShape.nullable() });

export type PracticeError = z.infer<typeof practiceErrorShape>;
export type PracticeErrors = z.infer<typeof practiceErrors>;

type DecidedFilm = {
  readonly patientId: string;
  readonly sha256: string;
  readonly atMs: number;
  /** Score [v], unrounded. */
  readonly value: number;
  readonly packName: string | null;
  readonly packVersion: string | null;
};

/**
 * Pairs films of one patient taken within 24 hours and measured by one pack, each used once at most. Copies of one film
 * are not paired; those with different bytes are recognised by their identical unrounded values. `films`: ordered by
 * patient and time.
 */
export function sameDayPairs<Film extends DecidedFilm>(films: readonly Film[]): readonly (readonly [Film, Film])[] {
  const pairs: (readonly [Film, Film])[] = [];
  let first: Film | null = null;
  for (const film of films) {
    if (!first || !isOfVisit(first, film)) first = film;
    else if (film.sha256 !== first.sha256 && film.value !== first.value) {
      pairs.push([first, film]);
      first = null;
    }
  }
  return pairs;
}

function isOfVisit(first: DecidedFilm, film: DecidedFilm): boolean {
  const isOfOnePack = film.packName === first.packName && film.packVersion === first.packVersion;
  return film.patientId === first.patientId && film.atMs - first.atMs < dayMs && isOfOnePack;
}

/**
 * Standard deviation within pairs [v]; null without pairs.
 *
 * @see Bland & Altman 1999, Stat Methods Med Res 8:135–160
 */
export function withinPairDeviation(pairs: readonly (readonly [DecidedFilm, DecidedFilm])[]): number | null {
  if (pairs.length === 0) return null;
  const squares = pairs.reduce((sum, [one, other]) => sum + (other.value - one.value) ** 2, 0);
  return Math.sqrt(squares / (2 * pairs.length));
}

export function practiceError(pairs: readonly (readonly [DecidedFilm, DecidedFilm])[]): PracticeError | null {
  const deviation = withinPairDeviation(pairs);
  return deviation === null || pairs.length < minUsedPairs ? null : { deviation, pairs: pairs.length };
}

/** Smallest change between two films that is not noise, at 95 %, from the deviation within pairs [v]. */
export function smallestChangeWithin(deviation: number): number {
  return normal975 * Math.SQRT2 * deviation;
}
