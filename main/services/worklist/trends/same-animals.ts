import { z } from "zod";
import { filmOfOtherAnimal, heartPlace, isWithinDay } from "../../../../core/cardiac/agreement/same-animal.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import type { FilmRow } from "../../../store/films/films.ts";
import { listLatestReadings, type ReadingRow } from "../../../store/films/readings.ts";
import type { FilmOfVisit } from "../../../store/films/trend/visits.ts";
import { getSetting } from "../../../store/settings.ts";
import { listOfFilms } from "../../desktop/film-notes.ts";
import { readingDetail } from "../readings/reading-detail.ts";
import type { Visits } from "./change-since-visit.ts";

/** Pairs of films that a user has found to show one animal. */
export const sameAnimalsSetting = listOfFilms("sameAnimals", z.object({ filmId: z.string(), otherId: z.string() }));

/**
 * Finds films of the same patient and day that may show another animal. The number of queries does not depend on the
 * number of films.
 *
 * @param readings  current readings of the films
 */
export async function filmsOfOtherAnimals(
  db: ReadableDb,
  films: readonly FilmRow[],
  { visits, readings }: { readonly visits: Visits; readonly readings: ReadonlyMap<string, ReadingRow> },
): Promise<ReadonlyMap<string, NonNullable<Film["otherAnimal"]>>> {
  const compared = films.flatMap(({ id, patientId }) => {
    const ofPatient = visits.get(patientId ?? "") ?? [];
    const film = ofPatient.find(({ filmId }) => filmId === id);
    const others = film ? ofPatient.filter((other) => other.filmId !== id && isWithinDay(other, film)) : [];
    return film && others.length > 0 ? [{ film, others }] : [];
  });
  if (compared.length === 0) return new Map();
  const confirmed = await getSetting(db, sameAnimalsSetting);
  const unread = compared.flatMap(({ others }) => others).filter(({ filmId }) => !readings.has(filmId));
  const further = await listLatestReadings(db, [...new Set(unread.map(({ filmId }) => filmId))]);
  const placed = (film: FilmOfVisit) => ({
    ...film,
    place: placeOf(readings.get(film.filmId) ?? further.get(film.filmId)),
  });
  return new Map(
    compared.flatMap(({ film, others }) => {
      const found = filmOfOtherAnimal(placed(film), others.map(placed), confirmed);
      if (!found) return [];
      const { film: other, ...difference } = found;
      const takenAt = new Date(other.atMs).toISOString();
      return [[film.filmId, { filmId: other.filmId, takenAt, ...difference }]];
    }),
  );
}

const placeParts = readingDetail.pick({ heart: true, ruler: true });

function placeOf(row: ReadingRow | undefined) {
  if (!row) return null;
  const { heart, ruler } = placeParts.parse(JSON.parse(row.detail));
  return heart && ruler && heartPlace(heart, ruler.edges);
}
