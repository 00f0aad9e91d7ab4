import { errorsBetween } from "../../../../core/cardiac/agreement/change.ts";
import { sameDayPairs, withinPairDeviation } from "../../../../core/cardiac/agreement/same-day.ts";
import type { NetworkMeasureName } from "../../../../core/cardiac/measures/measures.ts";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import type { ReadableDb } from "../../../store/database.ts";
import { listLatestReadings } from "../../../store/films/readings.ts";
import { listDecidedFilms } from "../../../store/films/trend/decided-films.ts";
import { errorsOfReading } from "./change-since-visit.ts";

type SameDay = DesktopResponse<"agreement.sameDay">;

/** Pairs the practice's films of one patient and day, newest first. */
export async function getSameDay(db: ReadableDb, measure: NetworkMeasureName): Promise<SameDay> {
  const pairs = sameDayPairs(await listDecidedFilms(db, measure)).toSorted(([a], [b]) => b.atMs - a.atMs);
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
