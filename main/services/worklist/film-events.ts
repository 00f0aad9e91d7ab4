import { AppError } from "../../../core/app-error.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { runInSequence } from "../measuring/run-in-sequence.ts";
import { getFilmView } from "./film-view.ts";

/** Events of all films are serialized, so that pages receive states in order. */
const filmEvents = "events of films";

/** Never called within a transaction. @throws AppError NOT_FOUND */
export function publishFilm(context: DesktopContext, filmId: string): Promise<Film> {
  return runInSequence(filmEvents, async () => {
    const film = await getFilmView(context.db, filmId);
    context.raise({ name: "film.changed", payload: { film } });
    // Both films show the question whether they are of the same animal.
    if (film.otherAnimal) {
      const other = await getFilmView(context.db, film.otherAnimal.filmId);
      context.raise({ name: "film.changed", payload: { film: other } });
    }
    return film;
  });
}

/** Skips films removed in the meantime. */
export async function publishFilms(context: DesktopContext, filmIds: readonly string[]): Promise<Film[]> {
  const films: Film[] = [];
  for (const filmId of filmIds) {
    try {
      films.push(await publishFilm(context, filmId));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "NOT_FOUND") throw error;
    }
  }
  return films;
}

export function publishRemoval(context: DesktopContext, filmIds: string[]): Promise<void> {
  return runInSequence(filmEvents, async () => context.raise({ name: "film.removed", payload: { filmIds } }));
}
