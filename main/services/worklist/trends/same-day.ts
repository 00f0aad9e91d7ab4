import { errorsBetween } from "../../../../core/cardiac/agreement/change.ts";
import {
  maxSameDayPairs,
  practiceError,
  sameDayPairs,
  withinPairDeviation,
  type PracticeErrors,
} from "../../../../core/cardiac/agreement/same-day.ts";
import type { NetworkMeasureName } from "../../../../core/cardiac/measures/measures.ts";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import type { ReadableDb } from "../../../store/database.ts";
import { listLatestReadings } from "../../../store/films/readings.ts";
import { listAcceptedFilms } from "../../../store/films/trend/accepted-films.ts";
import { errorsOfReading } from "./errors-of-reading.ts";

type SameDay = DesktopResponse<"agreement.sameDay">;

/** Of one film, estimated from the practice's same-day pairs. */
export async function getPracticeErrors(db: ReadableDb): Promise<PracticeErrors> {
  const films = await listAcceptedFilms(db, 2 * maxSameDayPairs);
  return { vhs: practiceError(pairsOf(films, "vhs")), vlas: practiceError(pairsOf(films, "vlas")) };
}

/** Newest first. */
export async function getSameDay(db: ReadableDb, measure: NetworkMeasureName): Promise<SameDay> {
  const films = await listAcceptedFilms(db, 2 * maxSameDayPairs);
  const pairs = pairsOf(films, measure).toSorted(([a], [b]) => b.atMs - a.atMs);
  const readings = await listLatestReadings(
    db,
    pairs.flatMap((pair) => pair.map(({ filmId }) => filmId)),
  );
  const errors = pairs.flatMap((pair) => {
    const ofFilms = pair.map(({ filmId }) => errorsOfReading(readings.get(filmId)));
    return errorsBetween(measure, ofFilms) ?? [];
  });
  const toFilm = ({ filmId, atMs, value }: (typeof pairs)[number][0]) => ({
    filmId,
    at: new Date(atMs).toISOString(),
    value,
  });
  return {
    pairs: pairs.map(([one, other]) => [toFilm(one), toFilm(other)]),
    deviation: withinPairDeviation(pairs),
    expected: errors.length === 0 ? null : Math.hypot(...errors) / Math.sqrt(errors.length),
  };
}

function pairsOf(films: Awaited<ReturnType<typeof listAcceptedFilms>>, measure: NetworkMeasureName) {
  return sameDayPairs(films.flatMap(({ [measure]: value, ...film }) => (value === null ? [] : [{ ...film, value }])));
}
