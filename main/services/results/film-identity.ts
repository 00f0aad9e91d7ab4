import { dicomInstance, type DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { ResultSubject } from "../../dicom/results/result-subject.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { findDicomInstance } from "../../store/films/dicom/dicom-instances.ts";
import { findDicomPatient } from "../../store/films/dicom/dicom-patients.ts";
import type { FilmRow } from "../../store/films/films.ts";
import { findPatientByUuid, numberOfPatient, type PatientRow } from "../../store/films/patients.ts";
import { orderOfFilm } from "../worklist/orders/taken-orders.ts";

type OfFilm = Pick<PatientRow, "id" | "uuid"> | null;

/**
 * Whether a film's file speaks of the patient that the film is given to: its Patient ID is that patient's, or nobody's
 * where the patient has no number of its own. Not so once a person has given the film to another animal.
 *
 * @param patient  null for a film that is nobody's
 */
export async function isNamedByFile(db: ReadableDb, filmId: string, patient: OfFilm): Promise<boolean> {
  return await speaksOf(db, await saidByFile(db, filmId), patient);
}

/** The same of what a file says about itself; null for one that says nothing. */
export async function speaksOf(db: ReadableDb, file: DicomInstance | null, patient: OfFilm): Promise<boolean> {
  if (!file?.patient.id) return true;
  const { uuid } = file.patient;
  const owner =
    uuid === null
      ? null
      : ((await findDicomPatient(db, uuid))?.patientId ?? (await findPatientByUuid(db, uuid))?.id ?? null);
  if (owner !== null) return owner === patient?.id;
  return patient === null || (await numberOfPatient(db, patient)) === null;
}

/**
 * What practice software files a film's results by: the number by which the practice calls the film's patient now, and
 * the order that the film was taken for. A film's file is asked only where it speaks of the film's patient.
 */
export async function filedUnder(
  db: ReadableDb,
  film: Pick<FilmRow, "id" | "patientId">,
  patient: ResultSubject["patient"],
): Promise<{ readonly patientNumber: string | null; readonly accessionNumber: string | null }> {
  const file = await saidByFile(db, film.id);
  const told = file !== null && (await speaksOf(db, file, patient)) ? file : null;
  const number = patient && (await numberOfPatient(db, patient));
  return {
    patientNumber: number ?? told?.patient.id ?? null,
    accessionNumber: told ? told.accessionNumber : ((await orderOfFilm(db, film))?.accessionNumber ?? null),
  };
}

/** null for a film that came as a picture. */
async function saidByFile(db: ReadableDb, filmId: string): Promise<DicomInstance | null> {
  const instance = await findDicomInstance(db, filmId);
  return instance && dicomInstance.parse(JSON.parse(instance.facts));
}
