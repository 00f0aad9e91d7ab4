import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { languageCodes, type Language } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";
import { isSampleFilm, sampleFilms } from "../../../core/sample-study.ts";
import { samplesDir } from "../../program.ts";
import { findFilmBySha256, type FilmRow } from "../../store/films/films.ts";
import { findIdentity, readPatientRecord } from "../../store/privacy/patient-record.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { erasePatientInWindow } from "../privacy/erase-in-window.ts";
import type { FilmQueue } from "../worklist/film-queue.ts";
import { addFilmToWorklist, assignPatient, editFilm, removeFilms } from "../worklist/films.ts";
import { createPatient } from "../worklist/patients/patients.ts";

const whyRemoved = "the sample study was removed";

export async function isSampleLoaded(context: DesktopContext): Promise<boolean> {
  return (await rowsOf(context)).length > 0;
}

/** Adds the simulated films, a year apart, under a patient named as a sample. */
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

/** Erases the patient that `loadSample` created; one with other films or changed data is kept. */
export async function removeSample(context: DesktopContext, queue: FilmQueue): Promise<void> {
  const rows = await rowsOf(context);
  const patients = new Set(rows.flatMap(({ patientId }) => patientId ?? []));
  const erased = new Set<string>();
  for (const patientId of patients) if (await isOfSampleAlone(context, patientId)) erased.add(patientId);
  const others = rows.filter(({ patientId }) => patientId === null || !erased.has(patientId));
  const ids = others.map(({ id }) => id);
  await queue.letGo(ids);
  // A film removed from the worklist still counts in its patient's trend.
  const assigned = others.filter(({ patientId }) => patientId !== null).map(({ id }) => id);
  if (assigned.length > 0) await assignPatient(context, assigned, null);
  await removeFilms(context, ids);
  for (const patientId of erased) await erasePatientInWindow(context, queue, patientId, whyRemoved);
}

async function isOfSampleAlone({ db }: DesktopContext, patientId: string): Promise<boolean> {
  const held = await readPatientRecord(db, await findIdentity(db, patientId));
  const { patient, films, patient_aliases, dicom_patients, measurements, screenings, billing } = held;
  const isAsMade = patient.every(
    ({ name, owner, uuid, microchip }) =>
      uuid === null &&
      microchip === null &&
      languageCodes
        .map((code) => sayIn(code))
        .some((say) => name === say("sample.patient") && owner === say("sample.owner")),
  );
  return (
    isAsMade &&
    films.every(({ sha256 }) => isSampleFilm({ sha256: String(sha256) })) &&
    [patient_aliases, dicom_patients, measurements, screenings, billing].every((rows) => rows.length === 0)
  );
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
