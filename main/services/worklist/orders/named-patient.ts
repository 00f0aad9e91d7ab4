import type { ReportedPatient } from "../../../../core/hl7/patient-message.ts";
import { comparedIdentifier } from "../../../../core/identifiers.ts";
import { areSpeciesCompatible } from "../../../../core/species.ts";
import { patientUuid } from "../../../dicom/patient-uuid.ts";
import type { ReadableDb } from "../../../store/database.ts";
import { findDicomPatient } from "../../../store/films/dicom/dicom-patients.ts";
import { listAliases } from "../../../store/films/merged-patients.ts";
import {
  findPatient,
  findPatientByUuid,
  listPatients,
  numberOfPatient,
  type PatientRow,
} from "../../../store/films/patients.ts";
import { isSameName } from "../import-dicom.ts";

/** Far above the number of patients that share part of a number. */
const searchedAtMost = 10_000;

/** By identifier, or by Patient ID of the films. */
export async function patientsOfNumber(db: ReadableDb, number: string): Promise<PatientRow[]> {
  const named = await findPatientByUuid(db, number);
  if (named !== null) return [named];
  const linked = await patientOfDicomId(db, number, null);
  const searched = await patientsFoundBy(db, number, async (row) => isSame(await numberOfPatient(db, row), number));
  return linked === null || searched.some(({ id }) => id === linked.id) ? searched : [linked, ...searched];
}

/**
 * Finds the patient created from a film before its order arrived, without an identifier of the practice; null if
 * ambiguous.
 */
export async function patientMadeByFilm(
  db: ReadableDb,
  { number, name, species }: Pick<ReportedPatient, "number" | "name" | "species">,
): Promise<PatientRow | null> {
  const isMeant = async (row: PatientRow) =>
    row.uuid !== number &&
    isSameName(row.name, name) &&
    species !== "other" &&
    areSpeciesCompatible(species, row.species) &&
    (row.uuid === null || isSame(await numberOfPatient(db, row), number));
  const meant: PatientRow[] = [];
  for (const row of await patientsOfNumber(db, number)) if (await isMeant(row)) meant.push(row);
  const [only, ...others] = meant;
  return only && others.length === 0 ? only : null;
}

/** A null issuer matches only files without an issuer. */
export async function patientOfDicomId(
  db: ReadableDb,
  patientId: string,
  issuer: string | null,
): Promise<PatientRow | null> {
  const link = await findDicomPatient(db, patientUuid(issuer, patientId));
  return link && (await findPatient(db, link.patientId));
}

/** Includes numbers of patients merged into them, and ignores spacing. */
export async function patientsOfMicrochip(db: ReadableDb, microchip: string): Promise<PatientRow[]> {
  const plain = (text: string) => text.replaceAll(/[\s.-]/g, "").toUpperCase();
  // Spacing differs between practices, so the search uses the last digits only.
  return await patientsFoundBy(db, plain(microchip).slice(-3), async ({ id, microchip: own }) =>
    [own ?? "", ...(await listAliases(db, id))].some((number) => plain(number) === plain(microchip)),
  );
}

async function patientsFoundBy(
  db: ReadableDb,
  search: string,
  isMeant: (row: PatientRow) => boolean | Promise<boolean>,
): Promise<PatientRow[]> {
  const { rows } = await listPatients(db, { search, limit: searchedAtMost, offset: 0 });
  const found: PatientRow[] = [];
  for (const row of rows) if (await isMeant(row)) found.push(row);
  return found;
}

function isSame(one: string | null, other: string): boolean {
  return comparedIdentifier(one) === comparedIdentifier(other);
}
