import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { ReadableDb } from "../connection.ts";
import { ledgerColumns } from "../ledger/ledger.ts";

const rowsSchema = z.array(z.record(z.string(), z.unknown()));
const texts = z.array(z.string());

/** A row as it lies in the store: column name -> value. */
export type StoredRow = z.infer<typeof rowsSchema>[number];

/**
 * Who a patient is in all tables: the row on the patients' list, if there is one, and every identifier under which
 * something was measured or screened, in the form in which they are compared.
 */
export type PatientIdentity = { readonly patientId: string | null; readonly uuids: readonly string[] };

const ofPatient = "patient_id = :patientId";
const filmsOfPatient = `SELECT id FROM films WHERE ${ofPatient}`;
const namedSo = "uuid_nfc IN (SELECT value FROM json_each(:uuids))";

/** Every table that knows a patient, how it is asked, and in what order. */
const questions = {
  patient: `SELECT * FROM patients WHERE id = :patientId`,
  patient_aliases: `SELECT * FROM patient_aliases WHERE ${ofPatient} ORDER BY uuid_nfc`,
  dicom_patients: `SELECT * FROM dicom_patients WHERE ${ofPatient} ORDER BY uuid`,
  films: `SELECT * FROM films WHERE ${ofPatient} ORDER BY taken_at_ms, id`,
  dicom_instances: `SELECT * FROM dicom_instances WHERE film_id IN (${filmsOfPatient}) ORDER BY film_id`,
  waiting_results: `SELECT * FROM waiting_results WHERE film_sop_instance_uid IN
    (SELECT sop_instance_uid FROM dicom_instances WHERE film_id IN (${filmsOfPatient})) ORDER BY rowid`,
  readings: `SELECT * FROM readings WHERE film_id IN (${filmsOfPatient}) ORDER BY film_id, version`,
  reading_values: `SELECT * FROM reading_values WHERE reading_id IN
    (SELECT id FROM readings WHERE film_id IN (${filmsOfPatient})) ORDER BY reading_id, measure`,
  annotations: `SELECT * FROM annotations WHERE film_id IN (${filmsOfPatient}) ORDER BY film_id, version`,
  measurements: `SELECT * FROM measurements WHERE ${namedSo} ORDER BY at_ms, id`,
  screenings: `SELECT * FROM usg_predictions WHERE ${namedSo} ORDER BY at_ms, call_id`,
  // Also what was done under the id of a patient that was merged into this one.
  audit: `SELECT * FROM audit_events WHERE patient_id IN (SELECT value FROM json_each(:uuids)) ORDER BY seq`,
  billing: `SELECT ${ledgerColumns} FROM ledger WHERE ${namedSo} ORDER BY seq`,
} as const;

/** Everything that the store holds about a patient, by table. */
export type PatientRecord = Readonly<Record<keyof typeof questions, readonly StoredRow[]>>;

/**
 * The patient with an id of the program or an identifier of the practice.
 *
 * @throws AppError NOT_FOUND where nothing is kept under it
 */
export function findIdentity(db: ReadableDb, idOrUuid: string): PatientIdentity {
  const compared = comparedIdentifier(idOrUuid);
  const patientId = db
    .prepare("SELECT id FROM patients WHERE id = :idOrUuid OR uuid_nfc = :compared ORDER BY id = :idOrUuid DESC")
    .pluck()
    .get({ idOrUuid, compared });
  if (typeof patientId === "string") return identityOf(db, patientId);
  const identity = { patientId: null, uuids: [compared] };
  const { measurements, screenings, billing } = readPatientRecord(db, identity);
  if (measurements.length + screenings.length + billing.length === 0)
    throw new AppError("NOT_FOUND", because("patientNotFound"));
  return identity;
}

/** Everything about a patient, read in one transaction. */
export function readPatientRecord(db: ReadableDb, identity: PatientIdentity): PatientRecord {
  const values = valuesOf(identity);
  const read = db.transaction(() =>
    Object.entries(questions).map(([table, sql]) => [table, rowsSchema.parse(db.prepare(sql).all(used(sql, values)))]),
  );
  return Object.fromEntries(read.deferred()) as PatientRecord;
}

/** What the questions about a patient are asked with. */
export function valuesOf({ patientId, uuids }: PatientIdentity) {
  return { patientId, uuids: JSON.stringify(uuids) };
}

/** A patient without an identifier of the practice is screened under the program's own. */
function identityOf(db: ReadableDb, patientId: string): PatientIdentity {
  const uuids = texts.parse(
    db
      .prepare(
        `SELECT uuid FROM patients WHERE id = :patientId AND uuid IS NOT NULL
         UNION SELECT uuid FROM dicom_patients WHERE ${ofPatient} UNION SELECT uuid FROM patient_aliases WHERE ${ofPatient}`,
      )
      .pluck()
      .all({ patientId }),
  );
  return { patientId, uuids: [...new Set([patientId, ...uuids.map(comparedIdentifier)])] };
}

/** A statement refuses values that it does not name. */
function used(sql: string, values: ReturnType<typeof valuesOf>): Partial<ReturnType<typeof valuesOf>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => sql.includes(`:${name}`)));
}
