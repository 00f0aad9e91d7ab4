import { dicomInstance } from "../../../../core/contract/desktop/network/dicom-instance.ts";
import type { ToldPatient } from "../../../../core/hl7/patient-message.ts";
import { readAuditEvents, recordAudit } from "../../../store/audit/audit-events.ts";
import type { WritableDb } from "../../../store/connection.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { listInstancesOfPatient } from "../../../store/films/dicom/dicom-instances.ts";
import { findPatient, writePatient, type PatientRow } from "../../../store/films/patients.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { publishPatient } from "./patients.ts";

/** Whose species a film or an order names, and which film it is; null: an order, or nobody's. */
type Lesson = {
  readonly patientId: string | null;
  readonly species: ToldPatient["species"];
  readonly filmId?: string;
};

/** Keeps what animal an order names where nobody has said it of the patient yet, and tells the pages. */
export async function learnSpecies(context: DesktopContext, lesson: Lesson & { patientId: string }): Promise<void> {
  const isLearned = await transaction(context.db, () => learnSpeciesWithin(context.db, lesson));
  if (isLearned) await publishPatient(context, lesson.patientId);
}

/**
 * The same within the transaction of what else is kept; whoever calls tells the pages afterwards.
 *
 * @returns whether it was learned
 */
export async function learnSpeciesWithin(db: WritableDb, { patientId, species, filmId }: Lesson): Promise<boolean> {
  if (patientId === null || species === null || species === "other") return false;
  const patient = await findPatient(db, patientId);
  if (patient?.species !== null) return false;
  await write(db, { ...patient, species }, filmId);
  return true;
}

/**
 * Takes back what a film has taught of a patient whose film it is no more, unless somebody has said it since or another
 * of the patient's films says it. Within a transaction, like the one above.
 */
export async function unlearnSpeciesWithin(db: WritableDb, patientId: string, filmId: string): Promise<boolean> {
  const patient = await findPatient(db, patientId);
  if (patient === null || (await teacherOf(db, patientId)) !== filmId) return false;
  const others = (await listInstancesOfPatient(db, patientId)).map((facts) => dicomInstance.parse(JSON.parse(facts)));
  if (others.some((other) => other.patient.species === patient.species)) return false;
  await write(db, { ...patient, species: null }, filmId);
  return true;
}

/** The film that has taught a patient's species; null where a person or an order was the last to say it. */
async function teacherOf(db: WritableDb, patientId: string): Promise<string | null> {
  let teacher: string | null = null;
  for await (const { detail, subject } of readAuditEvents(db, { actions: ["patient.edited"], patientId }))
    if (String(detail["changed"]).split(", ").includes("species")) teacher = detail["isLearned"] ? subject : null;
  return teacher;
}

async function write(db: WritableDb, patient: PatientRow, filmId: string | undefined): Promise<void> {
  await writePatient(db, patient);
  const detail = { changed: "species", isLearned: true };
  await recordAudit(db, { action: "patient.edited", patientId: patient.id, subject: filmId ?? null, detail });
}
