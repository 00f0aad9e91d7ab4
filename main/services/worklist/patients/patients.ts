import { randomUUID } from "node:crypto";
import type { Patient } from "../../../../core/contract/desktop/patients.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { listFilmsOfPatient } from "../../../store/films/films.ts";
import {
  getPatient,
  listPatients,
  type PatientQuery,
  savePatient,
  type PatientRow,
  type WrittenPatient,
} from "../../../store/films/patients.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { toPatient, toPatients } from "../film-view.ts";
import { publishFilms } from "../film-events.ts";

export type PatientFields = Omit<WrittenPatient, "id" | "createdAtMs" | "lastSeenAtMs">;

/** Most recently seen first. */
export async function searchPatients(
  context: DesktopContext,
  query: PatientQuery,
): Promise<{ patients: Patient[]; total: number }> {
  const { rows, total } = await listPatients(context.db, query);
  return { patients: await toPatients(context.db, rows), total };
}

/** @throws AppError CONFLICT when another patient has the uuid */
export async function createPatient(context: DesktopContext, fields: PatientFields): Promise<Patient> {
  return await published(context, await addPatient(context, fields));
}

/** Call it within a transaction; the caller publishes the patient. @throws AppError CONFLICT as `createPatient` */
export function addPatient(context: Pick<DesktopContext, "db" | "now">, fields: PatientFields): Promise<PatientRow> {
  const nowMs = context.now().getTime();
  return save(context, { ...fields, id: randomUUID(), createdAtMs: nowMs, lastSeenAtMs: nowMs });
}

/** @throws AppError NOT_FOUND, CONFLICT if another patient has the uuid */
export async function editPatient(
  context: DesktopContext,
  patientId: string,
  fields: { readonly [Name in keyof PatientFields]?: PatientFields[Name] | undefined },
): Promise<Patient> {
  const { db } = context;
  const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const row = await transaction(db, async () => save(context, { ...(await getPatient(db, patientId)), ...said }));
  return await published(context, row);
}

/** Includes the patient's films on the worklist. */
export async function publishPatient(context: DesktopContext, patientId: string): Promise<void> {
  context.raise({ name: "patients.changed", payload: {} });
  await publishFilmsOf(context, patientId);
}

export async function publishFilmsOf(context: DesktopContext, patientId: string): Promise<void> {
  const films = await listFilmsOfPatient(context.db, patientId);
  await publishFilms(
    context,
    films.map(({ id }) => id),
  );
}

function save({ db }: Pick<DesktopContext, "db">, row: WrittenPatient): Promise<PatientRow> {
  // An empty form field clears the number.
  return savePatient(db, { ...row, uuid: row.uuid || null, microchip: row.microchip || null });
}

async function published(context: DesktopContext, row: PatientRow): Promise<Patient> {
  await publishPatient(context, row.id);
  return await toPatient(context.db, row);
}
