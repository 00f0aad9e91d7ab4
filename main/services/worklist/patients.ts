import { randomUUID } from "node:crypto";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { listFilms } from "../../store/films/listed-films.ts";
import { getPatient, listPatients, savePatient, type WrittenPatient } from "../../store/films/patients.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { toPatient } from "./film-view.ts";
import { publishFilm } from "./films.ts";

/** What a person writes about an animal. */
export type PatientFields = Omit<WrittenPatient, "id" | "createdAtMs" | "lastSeenAtMs">;

/** Patients that match, those seen last first. */
export function searchPatients(
  context: DesktopContext,
  query: { readonly search: string; readonly limit: number; readonly offset: number },
): { patients: Patient[]; total: number } {
  const { rows, total } = listPatients(context.db, query);
  return { patients: rows.map((row) => toPatient(context.db, row)), total };
}

/** @throws AppError CONFLICT when another patient has the uuid */
export function createPatient(context: DesktopContext, fields: PatientFields): Patient {
  const nowMs = context.now().getTime();
  return saved(context, { ...fields, id: randomUUID(), createdAtMs: nowMs, lastSeenAtMs: nowMs });
}

/** @throws AppError NOT_FOUND, CONFLICT when another patient has the uuid */
export function editPatient(context: DesktopContext, patientId: string, fields: PatientFields): Patient {
  const patient = saved(context, { ...getPatient(context.db, patientId), ...fields });
  publishFilmsOf(context, patientId);
  return patient;
}

/** Tells the page of a patient's films on the worklist that something about it has changed. */
export function publishFilmsOf(context: DesktopContext, patientId: string): void {
  for (const { id } of listFilms(context.db, { search: "", patientId, limit: 1000, offset: 0 }).rows)
    publishFilm(context, id);
}

function saved(context: DesktopContext, row: WrittenPatient): Patient {
  // An empty field on the form means that the practice has no number for the animal.
  const patient = savePatient(context.db, { ...row, uuid: row.uuid || null, microchip: row.microchip || null });
  context.publish({ name: "patients.changed", payload: { patientIds: [patient.id] } });
  return toPatient(context.db, patient);
}
