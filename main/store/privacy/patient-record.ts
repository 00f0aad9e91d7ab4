import { sql, type RawBuilder } from "kysely";
import { AppError, because } from "../../../core/app-error.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { ReadableDb } from "../connection.ts";
import { snapshot } from "../engines/engine.ts";
import { isScreeningOf } from "../calls/usg-predictions.ts";

export type StoredRow = Record<string, unknown>;

/**
 * `patientId`: null without a row in `patients`; `uuids`: every identifier used in measurements and screenings, in
 * comparison form.
 */
export type PatientIdentity = { readonly patientId: string | null; readonly uuids: readonly string[] };

/** Ordered queries of every table that refers to a patient. */
function queriesOf(identity: PatientIdentity) {
  const { patientId, uuids } = identity;
  const ofPatient = sql`patient_id = ${patientId}`;
  const ofFilms = sql`film_id IN (SELECT id FROM films WHERE ${ofPatient})`;
  const listed = sql`(${sql.join(uuids)})`;
  return {
    patient: sql`SELECT * FROM patients WHERE id = ${patientId}`,
    patient_aliases: sql`SELECT * FROM patient_aliases WHERE ${ofPatient} ORDER BY uuid_nfc`,
    dicom_patients: sql`SELECT * FROM dicom_patients WHERE ${ofPatient} ORDER BY uuid`,
    films: sql`SELECT * FROM films WHERE ${ofPatient} ORDER BY taken_at_ms, id`,
    dicom_instances: sql`SELECT * FROM dicom_instances WHERE ${ofFilms} ORDER BY film_id`,
    waiting_results: sql`SELECT * FROM waiting_results WHERE film_sop_instance_uid IN
      (SELECT sop_instance_uid FROM dicom_instances WHERE ${ofFilms}) ORDER BY sop_instance_uid`,
    readings: sql`SELECT * FROM readings WHERE ${ofFilms} ORDER BY film_id, version`,
    reading_values: sql`SELECT * FROM reading_values WHERE reading_id IN
      (SELECT id FROM readings WHERE ${ofFilms}) ORDER BY reading_id, measure`,
    annotations: sql`SELECT * FROM annotations WHERE ${ofFilms} ORDER BY film_id, version`,
    watched_films: sql`SELECT * FROM watched_films WHERE ${ofFilms} ORDER BY film_id`,
    measurements: sql`SELECT * FROM measurements WHERE uuid_nfc IN ${listed} ORDER BY at_ms, id`,
    screenings: sql`SELECT * FROM usg_predictions WHERE ${isScreeningOf(identity)} ORDER BY at_ms, call_id`,
    // Includes actions on patients that were merged into this one.
    audit: sql`SELECT * FROM audit_events WHERE patient_id IN ${listed} ORDER BY seq`,
  } satisfies Record<string, RawBuilder<unknown>>;
}

/** By table. */
export type PatientRecord = Readonly<Record<keyof ReturnType<typeof queriesOf> | "billing", readonly StoredRow[]>>;

/** By an id of the program or an identifier of the practice. @throws AppError NOT_FOUND if nothing is stored */
export async function findIdentity(db: ReadableDb, idOrUuid: string): Promise<PatientIdentity> {
  const compared = comparedIdentifier(idOrUuid);
  const patient = await db
    .selectFrom("patients")
    .select("id")
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("id", "=", idOrUuid),
        eb("uuidNfc", "=", compared),
        eb("id", "in", selectFrom("patientAliases").select("patientId").where("uuidNfc", "=", compared)),
      ]),
    )
    .orderBy(({ eb }) => eb("id", "=", idOrUuid), "desc")
    .limit(1)
    .executeTakeFirst();
  if (patient) return await identityOf(db, patient.id);
  const identity = { patientId: null, uuids: [compared] };
  const { measurements, screenings, billing } = await readPatientRecord(db, identity);
  if (measurements.length + screenings.length + billing.length === 0)
    throw new AppError("NOT_FOUND", because("patientNotFound"));
  return identity;
}

export function readPatientRecord(db: ReadableDb, identity: PatientIdentity): Promise<PatientRecord> {
  return snapshot(db, async () => {
    const tables: [string, readonly StoredRow[]][] = [];
    for (const [table, query] of Object.entries(queriesOf(identity))) {
      const { rows } = await query.$castTo<StoredRow>().execute(db.withoutPlugins());
      tables.push([table, rows.map(shown)]);
    }
    const billing = db.selectFrom("ledger").selectAll().where("uuidNfc", "in", identity.uuids).orderBy("seq");
    tables.push(["billing", (await billing.execute()).map(shown)]);
    return Object.fromEntries(tables) as PatientRecord;
  });
}

/** Columns left out: technical ones, and `rowid`, which only PostgreSQL has as a column. */
const unshown = new Set(["rowid", "uuidNfc"]);

function shown(row: StoredRow): StoredRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !unshown.has(name)));
}

/** Includes the program's id, under which patients without a practice identifier are screened. */
export async function identityOf(db: ReadableDb, patientId: string): Promise<PatientIdentity> {
  const rows = await db
    .selectFrom("patients")
    .select("uuid")
    .where("id", "=", patientId)
    .where("uuid", "is not", null)
    .$narrowType<{ uuid: string }>()
    .union(db.selectFrom("dicomPatients").select("uuid").where("patientId", "=", patientId))
    .union(db.selectFrom("patientAliases").select("uuid").where("patientId", "=", patientId))
    .orderBy("uuid")
    .execute();
  return { patientId, uuids: [...new Set([patientId, ...rows.map(({ uuid }) => comparedIdentifier(uuid))])] };
}
