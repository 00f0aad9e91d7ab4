import { storedInstance, type DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { ResultSubject } from "../../dicom/results/result-subject.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { findDicomInstance } from "../../store/films/dicom/dicom-instances.ts";
import { findDicomPatient } from "../../store/films/dicom/dicom-patients.ts";
import type { FilmRow } from "../../store/films/films.ts";
import { findPatientByUuid, numberOfPatient, type PatientRow } from "../../store/films/patients.ts";
import { orderOfFilm } from "../worklist/orders/taken-orders.ts";

type OfFilm = Pick<PatientRow, "id" | "uuid"> | null;

/**
 * Whether the Patient ID of a film's file belongs to the film's patient, or is unassigned while the patient has no
 * number. False after a film was assigned to another animal.
 */
export async function isNamedByFile(db: ReadableDb, filmId: string, patient: OfFilm): Promise<boolean> {
  return await identifiesPatient(db, await headerOfFilm(db, filmId), patient);
}

/** True without a header or a Patient ID. */
export async function identifiesPatient(db: ReadableDb, file: DicomInstance | null, patient: OfFilm): Promise<boolean> {
  if (!file?.patient.id) return true;
  const { uuid } = file.patient;
  const owner =
    uuid === null
      ? null
      : ((await findDicomPatient(db, uuid))?.patientId ?? (await findPatientByUuid(db, uuid))?.id ?? null);
  if (owner !== null) return owner === patient?.id;
  return patient === null || (await numberOfPatient(db, patient)) === null;
}

/** Uses values of the film's file only if it identifies the film's patient. */
export async function filedUnder(
  db: ReadableDb,
  film: Pick<FilmRow, "id" | "patientId">,
  patient: ResultSubject["patient"],
): Promise<{ readonly patientNumber: string | null; readonly accessionNumber: string | null }> {
  const file = await headerOfFilm(db, film.id);
  const identified = file !== null && (await identifiesPatient(db, file, patient)) ? file : null;
  const number = patient && (await numberOfPatient(db, patient));
  return {
    patientNumber: number ?? identified?.patient.id ?? null,
    accessionNumber: identified ? identified.accessionNumber : ((await orderOfFilm(db, film))?.accessionNumber ?? null),
  };
}

/** Null for a film added as a picture. */
async function headerOfFilm(db: ReadableDb, filmId: string): Promise<DicomInstance | null> {
  const instance = await findDicomInstance(db, filmId);
  return instance && storedInstance(instance.facts);
}
