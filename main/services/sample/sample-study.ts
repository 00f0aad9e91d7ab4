import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Language } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";
import { isSampleFilm, sampleFilms } from "../../../core/sample-study.ts";
import { samplesDir } from "../../program.ts";
import { findFilmBySha256, type FilmRow } from "../../store/films/films.ts";
import { listFilms } from "../../store/films/listed-films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { erasePatientAtDesk } from "../privacy/erase-at-desk.ts";
import type { FilmQueue } from "../worklist/film-queue.ts";
import { addFilmToWorklist, assignPatient, editFilm, removeFilms } from "../worklist/films.ts";
import { createPatient } from "../worklist/patients/patients.ts";

/** Said in the statement of what was erased. */
const whyRemoved = "the sample study was removed";

/** Whether a film of the sample study is on the worklist. */
export async function isSampleLoaded(context: DesktopContext): Promise<boolean> {
  return (await rowsOf(context)).length > 0;
}

/**
 * Puts the simulated films on the worklist, a year apart, under a patient whose name says what they are. Nothing is
 * charged for them, as for any film of the window.
 */
export async function loadSample(context: DesktopContext, language: Language): Promise<Film[]> {
  const say = sayIn(language);
  const known = (await rowsOf(context)).find(({ patientId }) => patientId !== null)?.patientId;
  const patientId =
    known ??
    (
      await createPatient(context, {
        name: say("sample.patient"),
        species: "dog",
        breed: "",
        owner: say("sample.owner"),
        uuid: null,
      })
    ).id;
  const films: Film[] = [];
  for (const { file, monthsAgo } of sampleFilms) {
    const bytes = await readFile(path.join(samplesDir, file));
    const { film, isNew } = await addFilmToWorklist(context, { name: file, bytes, origin: "file", patientId });
    films.push(isNew ? await editFilm(context, film.id, monthsBefore(context.now(), monthsAgo)) : film);
  }
  return films;
}

/** Erases the sample study with its readings; other films of its patient stay on the worklist, without patient. */
export async function removeSample(context: DesktopContext, queue: FilmQueue): Promise<void> {
  const rows = await rowsOf(context);
  const patients = new Set(rows.flatMap(({ patientId }) => patientId ?? []));
  for (const patientId of patients) {
    const { rows: all } = await listFilms(context.db, { search: "", patientId, limit: 100_000, offset: 0 });
    const own = all.filter((film) => !isSampleFilm(film)).map(({ id }) => id);
    if (own.length > 0) await assignPatient(context, own, null);
    await erasePatientAtDesk(context, queue, patientId, whyRemoved);
  }
  const without = rows.filter(({ patientId }) => patientId === null).map(({ id }) => id);
  await queue.letGo(without);
  await removeFilms(context, without);
}

async function rowsOf({ db }: DesktopContext): Promise<readonly FilmRow[]> {
  const rows = await Promise.all(sampleFilms.map(({ sha256 }) => findFilmBySha256(db, sha256)));
  return rows.filter((row) => row !== null);
}

function monthsBefore(now: Date, months: number): Date {
  const earlier = new Date(now);
  earlier.setUTCMonth(earlier.getUTCMonth() - months);
  return earlier;
}
