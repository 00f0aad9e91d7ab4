import { changeBetween } from "../../../../core/cardiac/agreement/change.ts";
import { valueBefore } from "../../../../core/cardiac/reference/trend.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import type { FilmRow } from "../../../store/films/films.ts";
import { listLatestReadings, type ReadingRow } from "../../../store/films/readings.ts";
import { listFilmsOfVisits, type FilmOfVisit } from "../../../store/films/trend/visits.ts";
import { errorsOfReading } from "./errors-of-reading.ts";
import { getPracticeErrors } from "./same-day.ts";

/** Films of patients that have a VHS, oldest first, by patient id. */
export type Visits = ReadonlyMap<string, readonly FilmOfVisit[]>;

export async function visitsOf(db: ReadableDb, films: readonly FilmRow[]): Promise<Visits> {
  const patientIds = [...new Set(films.flatMap(({ patientId }) => patientId ?? []))];
  return Map.groupBy(await listFilmsOfVisits(db, patientIds), ({ patientId }) => patientId);
}

/**
 * Omits films of a first visit. The number of queries does not depend on the number of films.
 *
 * @param readings  current readings of the films
 */
export async function changesSinceVisit(
  db: ReadableDb,
  films: readonly FilmRow[],
  { visits, readings }: { readonly visits: Visits; readonly readings: ReadonlyMap<string, ReadingRow> },
): Promise<ReadonlyMap<string, NonNullable<Film["vhsChange"]>>> {
  const pairs = films.flatMap(({ id, patientId }) => {
    const ofPatient = visits.get(patientId ?? "") ?? [];
    const later = ofPatient.find(({ filmId }) => filmId === id);
    const before = later && valueBefore(ofPatient, later.atMs);
    return later && before ? [{ later, before }] : [];
  });
  const unread = pairs.map(({ before }) => before.filmId).filter((filmId) => !readings.has(filmId));
  const earlier = await listLatestReadings(db, [...new Set(unread)]);
  const practice = pairs.length === 0 ? undefined : await getPracticeErrors(db);
  const withErrors = ({ filmId, vhs }: (typeof pairs)[number]["later"]) => ({
    value: vhs,
    errors: errorsOfReading(readings.get(filmId) ?? earlier.get(filmId), practice),
  });
  return new Map(
    pairs.map(({ later, before }) => [
      later.filmId,
      {
        filmId: before.filmId,
        since: new Date(before.atMs).toISOString(),
        ...changeBetween("vhs", withErrors(before), withErrors(later)),
      },
    ]),
  );
}
