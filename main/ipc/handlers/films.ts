import type { filmsContract } from "../../../core/contract/desktop/films.ts";
import { assignPatient, editFilm, removeFilms } from "../../services/worklist/films.ts";
import { exportAnnotatedFilms } from "../../services/results/annotated-export.ts";
import { getFilmView, toFilms, toReading } from "../../services/worklist/film-view.ts";
import { openFrame } from "../../services/import/import-files.ts";
import { saveReading } from "../../services/worklist/readings.ts";
import { countFilms, findFilm } from "../../store/films/films.ts";
import { listFilms } from "../../store/films/listed-films.ts";
import { listReadings } from "../../store/films/readings.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Films, their measuring and their readings. */
export function filmHandlers({ context, queue }: DesktopParts): Handlers<keyof typeof filmsContract> {
  const { db } = context;
  return {
    "films.list": ({ takenFrom, ...filter }) => {
      const takenFromMs = takenFrom === undefined ? undefined : Date.parse(takenFrom);
      const { rows, total } = listFilms(db, { ...filter, takenFromMs });
      return { films: toFilms(db, rows), total };
    },
    "films.get": ({ filmId }) => ({ film: getFilmView(db, filmId), readings: listReadings(db, filmId).map(toReading) }),
    "films.edit": ({ filmId, takenAt }) => editFilm(context, filmId, new Date(takenAt)),
    "films.openFrame": async ({ filmId, frameIndex }) => {
      const added = await openFrame(context, filmId, frameIndex);
      queue.wake();
      return added;
    },
    "films.assignPatient": ({ filmIds, patientId }) => ({ films: assignPatient(context, filmIds, patientId) }),
    "films.cancel": ({ filmIds }) => ({ films: queue.cancel(filmIds) }),
    "films.retry": ({ filmIds }) => ({ films: queue.retry(filmIds) }),
    "films.remove": async ({ filmIds }) => {
      queue.cancel(filmIds.filter((filmId) => findFilm(db, filmId) !== null));
      return { filmIds: await removeFilms(context, filmIds) };
    },
    "readings.save": (request) => saveReading(context, request),
    "films.exportAnnotated": ({ filmIds }) => exportAnnotatedFilms(context, filmIds),
    "films.counts": () => countFilms(db),
  };
}
