import { accessionOf } from "../../dicom/results/modules.ts";
import type { ResultSubject } from "../../dicom/results/result-subject.ts";
import { patientUuid } from "../../dicom/patient-uuid.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { findDicomPatient } from "../../store/films/dicom/dicom-patients.ts";
import { findPatientByUuid, numberOfPatient, type PatientRow } from "../../store/films/patients.ts";

/**
 * Whether a film's file speaks of the patient that the film is given to: its Patient ID is that patient's, or nobody's
 * where the patient has no number of its own. Not so once a person has given the film to another animal.
 *
 * @param patient  null for a film that is nobody's
 */
export async function isNamedByFile(
  db: ReadableDb,
  source: NonNullable<ResultSubject["source"]>,
  patient: Pick<PatientRow, "id" | "uuid"> | null,
): Promise<boolean> {
  const id = source.text("00100020")?.trim();
  if (!id) return true;
  const uuid = patientUuid(source.text("00100021")?.trim() || null, id);
  const owner = (await findDicomPatient(db, uuid))?.patientId ?? (await findPatientByUuid(db, uuid))?.id ?? null;
  if (owner !== null) return owner === patient?.id;
  return patient === null || (await numberOfPatient(db, patient)) === null;
}

/**
 * What practice software files a film's results by: the number by which the practice calls the film's patient now, and
 * the order that the film was taken for. The file is asked only where it speaks of the film's patient.
 */
export async function filedUnder(
  db: ReadableDb,
  { source, patient, order = null }: Pick<ResultSubject, "source" | "patient" | "order">,
): Promise<{ readonly patientNumber: string | null; readonly accessionNumber: string | null }> {
  const told = source !== null && (await isNamedByFile(db, source, patient)) ? source : null;
  const number = patient && (await numberOfPatient(db, patient));
  return {
    patientNumber: number ?? told?.text("00100020") ?? null,
    accessionNumber: source === null || told !== null ? accessionOf({ source, order }) : null,
  };
}
