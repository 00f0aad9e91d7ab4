import { z } from "zod";
import { filmOfOtherAnimal } from "../../../../core/cardiac/agreement/same-animal.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import type { FilmRow } from "../../../store/films/films.ts";
import { getSetting } from "../../../store/settings.ts";
import { listOfFilms } from "../../desktop/film-notes.ts";
import type { Visits } from "./change-since-visit.ts";

/** Pairs of films that a user has found to show one animal. */
export const sameAnimalsSetting = listOfFilms("sameAnimals", z.object({ filmId: z.string(), otherId: z.string() }));

/** Films of the same patient and day that may show another animal, by film id. */
export async function filmsOfOtherAnimals(
  db: ReadableDb,
  films: readonly FilmRow[],
  visits: Visits,
): Promise<ReadonlyMap<string, NonNullable<Film["otherAnimal"]>>> {
  const confirmed = await getSetting(db, sameAnimalsSetting);
  return new Map(
    films.flatMap(({ id, patientId }) => {
      const ofPatient = visits.get(patientId ?? "") ?? [];
      const film = ofPatient.find(({ filmId }) => filmId === id);
      const other = film && filmOfOtherAnimal(film, ofPatient, confirmed);
      return other ? [[id, { filmId: other.filmId, takenAt: new Date(other.atMs).toISOString(), vhs: other.vhs }]] : [];
    }),
  );
}
