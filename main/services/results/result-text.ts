import { AppError, because } from "../../../core/app-error.ts";
import { reportedReadings } from "../../../core/cardiac/agreement/reported-readings.ts";
import type { ResultSubject } from "../../dicom/results/result-subject.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { findKnownFilm, type FilmRow } from "../../store/films/films.ts";
import { findPatient } from "../../store/films/patients.ts";
import { listReadings } from "../../store/films/readings.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { toPatient, toReading } from "../worklist/film-view.ts";
import { filedUnder } from "./film-identity.ts";

type Told = Pick<ResultSubject, "patient" | "takenAt" | "readings" | "clinicName">;

export type ResultText = {
  readonly film: FilmRow & { readonly isRemoved: boolean };
  readonly subject: Told;
  readonly patientNumber: string | null;
  readonly accessionNumber: string | null;
};

/**
 * Needs no image and also accepts films removed from the worklist.
 *
 * @throws AppError NOT_FOUND for an erased film, CONFLICT without a reading
 */
export async function readResultText(db: ReadableDb, filmId: string): Promise<ResultText> {
  const film = await findKnownFilm(db, filmId);
  if (film === null) throw new AppError("NOT_FOUND", because("filmNotFound"));
  const subject = await resultTextOf(db, film);
  if (subject.readings.length === 0) throw new AppError("CONFLICT", because("filmNotMeasured"));
  return { film, subject, ...(await filedUnder(db, film, subject.patient)) };
}

/** @returns `readings` may be empty */
export async function resultTextOf(db: ReadableDb, film: FilmRow): Promise<Told> {
  const patient = film.patientId === null ? null : await findPatient(db, film.patientId);
  return {
    patient: patient && (await toPatient(db, patient)),
    takenAt: new Date(film.takenAtMs),
    readings: reportedReadings((await listReadings(db, film.id)).map(toReading)),
    clinicName: (await getDesktopSettings(db)).clinicName,
  };
}
