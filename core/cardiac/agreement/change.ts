import type { MeasureName } from "../measures/measures.ts";
import { shownChange, shownScore } from "../shown-score.ts";
import type { PracticeError } from "./same-day.ts";
import type { ScoreErrors } from "./score-errors.ts";
import { normal975 } from "./student-t.ts";

/**
 * Standard deviation of a score over the cardiac cycle [v]: VHS varies by 0.36 v within a beat, evenly distributed,
 * VLAS does not. The figure for RLAD is unknown, so its changes are not judged.
 *
 * @see Brown et al., fluoroscopy of 49 dogs
 */
const phaseDeviation: PerName<number> = { vhs: 0.36 / Math.sqrt(12), vlas: 0 };

type PerName<Value> = { readonly [Name in MeasureName]?: Value | undefined };

/** A score [v], unrounded, and the standard errors of its film; null if unknown. */
export type ScoreWithErrors = { readonly value: number; readonly errors: ScoreErrors | null };

/** Difference of a score between two films of one animal, as displayed [v]. */
export type Change = {
  readonly change: number;
  /** Smallest change that is not noise; null if the error of a film is unknown. */
  readonly limit: number | null;
  readonly isBeyondNoise: boolean | null;
  /** Number of the practice's same-day pairs behind the limit; null if the limit comes from the films' own errors. */
  readonly pairs: number | null;
};

export function changeBetween(name: MeasureName, earlier: ScoreWithErrors, later: ScoreWithErrors): Change {
  const change = shownChange(earlier.value, later.value);
  const limit = shownScore(smallestChange(name, earlier.errors, later.errors));
  const pairs = practiceErrorBetween(name, [earlier.errors, later.errors])?.pairs ?? null;
  return { change, limit, isBeyondNoise: limit === null ? null : Math.abs(change) > limit, pairs };
}

/** Smallest change between two films that is not noise, at 95 % [v]; null if an error is unknown. */
export function smallestChange(name: MeasureName, one: ScoreErrors | null, other: ScoreErrors | null): number | null {
  const errors = errorsBetween(name, [one, other]);
  return errors && normal975 * Math.hypot(...errors);
}

/**
 * Standard errors for comparing scores between films of one animal [v], in the given order, the phase of the heart
 * included. If one pack placed all points, these are the deviation of the practice's same-day pairs, otherwise the
 * pack's errors without the part common to all films. With points of different packs or of users, the full errors
 * apply.
 *
 * @returns  null if the error of a film or the effect of the phase is unknown
 */
export function errorsBetween(name: MeasureName, films: readonly (ScoreErrors | null)[]): readonly number[] | null {
  const practice = practiceErrorBetween(name, films);
  if (practice) return films.map(() => practice.deviation);
  const isRepeated = areOfOnePack(films) && films.every((film) => film?.repeat !== null);
  const errors = films.map((film) => {
    const errorsOfFilm: PerName<number | null> | null | undefined = isRepeated ? film?.repeat : film?.full;
    return errorsOfFilm?.[name] ?? null;
  });
  const known = errors.filter((error) => error !== null);
  const phase = phaseDeviation[name];
  return phase === undefined || known.length < films.length ? null : known.map((error) => Math.hypot(error, phase));
}

/** Pairs of the practice contain films of one pack only, so that they do not include the error common to its films. */
function practiceErrorBetween(name: MeasureName, films: readonly (ScoreErrors | null)[]) {
  const errors: PerName<PracticeError | null> = films.find((film) => film?.practice)?.practice ?? {};
  return areOfOnePack(films) ? (errors[name] ?? null) : null;
}

function areOfOnePack([first, ...others]: readonly (ScoreErrors | null)[]): boolean {
  return typeof first?.pack === "string" && others.every((film) => film?.pack === first.pack);
}
