import { storedInstance } from "../../../../core/contract/desktop/network/dicom-instance.ts";
import type { ReportedPatient } from "../../../../core/hl7/patient-message.ts";
import { readAuditEvents, recordAudit } from "../../../store/audit/audit-events.ts";
import type { WritableDb } from "../../../store/connection.ts";
import { listInstancesOfPatient } from "../../../store/films/dicom/dicom-instances.ts";
import { findPatient, writePatient, type PatientRow } from "../../../store/films/patients.ts";

/** `filmId` is missing for an order, `patientId` null for an unassigned film. */
type SpeciesSource = {
  readonly patientId: string | null;
  readonly species: ReportedPatient["species"];
  readonly filmId?: string;
};

/** Call it within a transaction; the caller publishes the patient. @returns whether the species was set */
export async function learnSpecies(db: WritableDb, { patientId, species, filmId }: SpeciesSource): Promise<boolean> {
  if (patientId === null || species === null || species === "other") return false;
  const patient = await findPatient(db, patientId);
  if (patient?.species !== null) return false;
  await write(db, { ...patient, species }, filmId);
  return true;
}

/**
 * Removes a species that came from a film, unless a user has confirmed it or another film of the patient has it. Call
 * it within a transaction.
 */
export async function unlearnSpecies(db: WritableDb, patientId: string, filmId: string): Promise<boolean> {
  const patient = await findPatient(db, patientId);
  if (patient === null || (await filmOfSpecies(db, patientId)) !== filmId) return false;
  const others = (await listInstancesOfPatient(db, patientId)).map(storedInstance);
  if (others.some((other) => other.patient.species === patient.species)) return false;
  await write(db, { ...patient, species: null }, filmId);
  return true;
}

/** Returns null if a user or an order set the species last. */
async function filmOfSpecies(db: WritableDb, patientId: string): Promise<string | null> {
  let lastFilm: string | null = null;
  for await (const { detail, subject } of readAuditEvents(db, { actions: ["patient.edited"], patientId }))
    if (String(detail["changed"]).split(", ").includes("species")) lastFilm = detail["isLearned"] ? subject : null;
  return lastFilm;
}

async function write(db: WritableDb, patient: PatientRow, filmId: string | undefined): Promise<void> {
  await writePatient(db, patient);
  const detail = { changed: "species", isLearned: true };
  await recordAudit(db, { action: "patient.edited", patientId: patient.id, subject: filmId ?? null, detail });
}
