import { comparedIdentifier } from "../../../../core/identifiers.ts";
import { patientUuid } from "../../../dicom/patient-uuid.ts";
import type { ReadableDb } from "../../../store/database.ts";
import { findDicomPatient } from "../../../store/films/dicom-patients.ts";
import {
  findPatient,
  findPatientByUuid,
  listPatients,
  numberOfPatient,
  type PatientRow,
} from "../../../store/films/patients.ts";
import { isSameName } from "../import-dicom.ts";

/** More patients than share a part of a number. */
const searchedAtMost = 10_000;

/** The patients that a practice means by a number: their identifier, or the Patient ID of their films. */
export function patientsOfNumber(db: ReadableDb, number: string): PatientRow[] {
  const named = findPatientByUuid(db, number);
  if (named !== null) return [named];
  const linked = patientOfDicomId(db, number, null);
  const searched = patientsFoundBy(db, number, (row) => isSame(numberOfPatient(db, row), number));
  return linked === null || searched.some(({ id }) => id === linked.id) ? searched : [linked, ...searched];
}

/**
 * The patient that a film has made before the practice told of it: of the same number, name and species, and without an
 * identifier of the practice. null also where several are.
 */
export function patientMadeByFilm(
  db: ReadableDb,
  { number, name, species }: { readonly number: string; readonly name: string; readonly species: string | null },
): PatientRow | null {
  const [only, ...others] = patientsOfNumber(db, number).filter(
    (row) =>
      row.uuid !== number &&
      (row.uuid === null || isSame(numberOfPatient(db, row), number)) &&
      isSameName(row.name, name) &&
      (species === null || species === row.species),
  );
  return only && others.length === 0 ? only : null;
}

/** The patient of a Patient ID, of whichever issuer where none is named by the film. */
export function patientOfDicomId(db: ReadableDb, patientId: string, issuer: string | null): PatientRow | null {
  const link = findDicomPatient(db, patientUuid(issuer, patientId));
  return link && findPatient(db, link.patientId);
}

/** Patients with a microchip number, however it is spaced. */
export function patientsOfMicrochip(db: ReadableDb, microchip: string): PatientRow[] {
  const plain = (text: string) => text.replaceAll(/[\s.-]/g, "").toUpperCase();
  // Spaces stand where each practice puts them, so that only the last digits can be searched for.
  return patientsFoundBy(db, plain(microchip).slice(-3), (row) => plain(row.microchip ?? "") === plain(microchip));
}

function patientsFoundBy(db: ReadableDb, search: string, isMeant: (row: PatientRow) => boolean): PatientRow[] {
  return listPatients(db, { search, limit: searchedAtMost, offset: 0 }).rows.filter(isMeant);
}

function isSame(one: string | null, other: string): boolean {
  return comparedIdentifier(one) === comparedIdentifier(other);
}
