import { z } from "zod";
import { filmOfOtherAnimal, type SameAnimal } from "../../../../core/cardiac/agreement/same-animal.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import { getFilm, type FilmRow } from "../../../store/films/films.ts";
import { changeSetting, getSetting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { listOfFilms } from "../../desktop/film-notes.ts";
import { publishFilms } from "../film-events.ts";
import type { Visits } from "./change-since-visit.ts";

/** Pairs of films that a user has found to show one animal. */
const confirmedSetting = listOfFilms("sameAnimals", z.object({ filmId: z.string(), otherId: z.string() }));

/** Films of the same patient and day that may show another animal, by film id. */
export async function filmsOfOtherAnimals(
  db: ReadableDb,
  films: readonly FilmRow[],
  visits: Visits,
): Promise<ReadonlyMap<string, NonNullable<Film["otherAnimal"]>>> {
  const confirmed = await getSetting(db, confirmedSetting);
  return new Map(
    films.flatMap(({ id, patientId }) => {
      const ofPatient = visits.get(patientId ?? "") ?? [];
      const film = ofPatient.find(({ filmId }) => filmId === id);
      const other = film && filmOfOtherAnimal(film, ofPatient, confirmed);
      return other ? [[id, { filmId: other.filmId, takenAt: new Date(other.atMs).toISOString(), vhs: other.vhs }]] : [];
    }),
  );
}

/** Stores that two films show one animal. @throws AppError NOT_FOUND */
export async function confirmSameAnimal(context: DesktopContext, pair: SameAnimal): Promise<Film[]> {
  const filmIds = [pair.filmId, pair.otherId];
  for (const filmId of filmIds) await getFilm(context.db, filmId);
  await changeSetting(context.db, confirmedSetting, (pairs) => [...pairs, pair]);
  return publishFilms(context, filmIds);
}
