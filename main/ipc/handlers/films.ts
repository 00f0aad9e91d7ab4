import type { filmsContract } from "../../../core/contract/desktop/films.ts";
import { assignPatient, editFilm, removeFilms } from "../../services/worklist/films.ts";
import { exportAnnotatedFilms } from "../../services/results/annotated-export.ts";
import { getFilmView, toReading } from "../../services/worklist/film-view.ts";
import { listFilmViews } from "../../services/worklist/listed-films.ts";
import { importFrame } from "../../services/import/import-files.ts";
import { saveReading, undoReading } from "../../services/worklist/readings/readings.ts";
import { confirmSameAnimal } from "../../services/worklist/trends/confirm-same-animal.ts";
import { snapshot } from "../../store/engines/engine.ts";
import { listWaiting } from "../../store/films/films.ts";
import { listReadings } from "../../store/films/readings.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function filmHandlers({ context, jobs, queue, openFilms }: DesktopParts): Handlers<keyof typeof filmsContract> {
  const { db } = context;
  return {
    "films.list": (filter) => snapshot(db, () => listFilmViews(db, filter)),
    "films.get": ({ filmId }) =>
      snapshot(db, async () => ({
        film: await getFilmView(db, filmId),
        readings: (await listReadings(db, filmId)).map(toReading),
      })),
    "films.edit": ({ filmId, takenAt }) => editFilm(context, filmId, new Date(takenAt)),
    "films.addFrame": ({ filmId, frameIndex }) => importFrame(context, filmId, frameIndex),
    "films.assignPatient": ({ filmIds, patientId }) => assignPatient(context, filmIds, patientId),
    "films.confirmSameAnimal": (pair) => confirmSameAnimal(context, pair),
    "films.cancel": ({ filmIds }) => queue.cancel(filmIds),
    "films.retry": ({ filmIds }) => queue.retry(filmIds),
    "films.remove": async ({ filmIds }) => {
      await queue.letGo(filmIds);
      await removeFilms(context, filmIds);
    },
    "readings.save": (request) => saveReading(context, request),
    "readings.undo": (request) => undoReading(context, request),
    "films.exportAnnotated": ({ exportId }) => jobs.run(exportId, (signal) => exportAnnotatedFilms(context, signal)),
    "films.sayOpen": ({ filmId }, session) => openFilms.say(session, filmId),
    "films.openElsewhere": async (_request, session) => ({ films: await openFilms.elsewhere(session) }),
    "films.queue": async () => ({ filmIds: [...(await listWaiting(db))] }),
  };
}
