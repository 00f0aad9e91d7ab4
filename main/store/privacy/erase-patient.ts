import { randomBytes, type KeyObject } from "node:crypto";
import { z } from "zod";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { recordAudit } from "../audit/audit-events.ts";
import { emptyWriteAheadLog, type WritableDb } from "../connection.ts";
import { ensureAccount, listAccounts } from "../accounts.ts";
import { appendStatement } from "../ledger/ledger-statements.ts";
import { contentHashOfLedgerRow } from "../ledger/ledger-verification.ts";
import { contentHashOfRow } from "../record/value-seals.ts";
import { digestOfErasure, keepErasedRows, subjectOfErasure, type ErasedRow } from "./erased-rows.ts";
import { valuesOf, type PatientIdentity } from "./patient-record.ts";

/** An erasure: whose, and what its statement in the ledger says. */
export type Erasure = {
  readonly identity: PatientIdentity;
  readonly why: string;
  readonly by: string;
  readonly at: Date;
  /** Ed25519; signs the statement. */
  readonly privateKey: KeyObject;
  /** Account that the statement stands under where the store has none yet. */
  readonly accountName: string;
};

/** What was erased: the name that stands in its place, how many kept rows it was, and whose pictures go. */
export type Erased = {
  readonly pseudonym: string;
  readonly rows: number;
  readonly films: readonly { readonly id: string; readonly sha256: string; readonly frameIndex: number }[];
};

const keys = z.array(z.union([z.string(), z.int()]));
const filmsSchema = z.array(z.object({ id: z.string(), sha256: z.string(), frameIndex: z.int() }));

/**
 * Erases a patient in one transaction: everything measured, read, screened and written about it goes. What was billed
 * stays under a pseudonym, a measurement that was billed as an empty row. A signed statement in the ledger names what
 * was touched, so that ledger and seals go on verifying. No byte of it stays in the store's files.
 */
export function erasePatient(db: WritableDb, erasure: Erasure): Erased {
  const erase = db.transaction(() => {
    const pseudonym = `erased-${randomBytes(8).toString("hex")}`;
    const question = { ...valuesOf(erasure.identity), pseudonym };
    db.prepare("INSERT INTO erasing (pseudonym) VALUES (?)").run(pseudonym);
    const films = filmsSchema.parse(
      db
        .prepare("SELECT id, sha256, frame_index AS frameIndex FROM films WHERE patient_id = ?")
        .all(question.patientId),
    );
    const rows = [...eraseLedger(db, question), ...eraseValues(db, question), ...eraseReadings(db, question)];
    eraseRest(db, question);
    db.exec("DELETE FROM erasing");
    keepErasedRows(db, pseudonym, rows);
    state(db, erasure, pseudonym, rows);
    recordAudit(db, {
      action: "patient.erased",
      at: erasure.at,
      patientId: erasure.identity.patientId,
      detail: { pseudonym, rows: rows.length, films: films.length },
    });
    return { pseudonym, rows: rows.length, films };
  });
  const erased = erase.immediate();
  emptyWriteAheadLog(db);
  return erased;
}

type Question = ReturnType<typeof valuesOf> & { readonly pseudonym: string };

const namedSo = "uuid_nfc IN (SELECT value FROM json_each(:uuids))";

function eraseLedger(db: WritableDb, { uuids, pseudonym }: Question): ErasedRow[] {
  const update = `UPDATE ledger SET uuid = :pseudonym, uuid_nfc = :pseudonym WHERE ${namedSo} RETURNING seq`;
  const seqs = z.array(z.int()).parse(db.prepare(update).pluck().all({ uuids, pseudonym }));
  return seqs.map((seq) => ({ subject: String(seq), found: contentHashOfLedgerRow(db, seq) }));
}

/** A billed measurement is named by its row in the ledger, and keeps what that needs. */
function eraseValues(db: WritableDb, { uuids, pseudonym }: Question): ErasedRow[] {
  const isBilled = "EXISTS (SELECT 1 FROM ledger WHERE measurement_id = measurements.id)";
  const emptied = db.prepare(
    `UPDATE measurements SET uuid = :pseudonym, uuid_nfc = :pseudonym, is_best = 0, image_sha256 = '', parameters = '{}', width_px = 0, height_px = 0,
       classifier_confidence = 0, vhs = NULL, vlas = NULL, spread = NULL, tier = NULL, sharpness = NULL, landmarks = NULL, ruler_kind = NULL, ruler_edges = NULL,
       edges = NULL, corners = NULL, votes = NULL, outline = NULL, intervals = NULL
     WHERE ${namedSo} AND ${isBilled} RETURNING id`,
  );
  const billed = keys.parse(emptied.pluck().all({ uuids, pseudonym }));
  const measurements = db.prepare(`DELETE FROM measurements WHERE ${namedSo} RETURNING id`).pluck().all({ uuids });
  const screenings = db
    .prepare(`DELETE FROM usg_predictions WHERE ${namedSo} RETURNING call_id`)
    .pluck()
    .all({ uuids });
  return [
    ...billed.map((id) => ({
      subject: `measurements/${id}`,
      found: contentHashOfRow(db, "measurements", String(id)),
    })),
    ...gone("measurements", measurements),
    ...gone("usg_predictions", screenings),
  ];
}

function eraseReadings(db: WritableDb, { patientId }: Question): ErasedRow[] {
  const ofFilms = "film_id IN (SELECT id FROM films WHERE patient_id = ?)";
  db.prepare(`DELETE FROM reading_values WHERE reading_id IN (SELECT id FROM readings WHERE ${ofFilms})`).run(
    patientId,
  );
  const remove = (table: "readings" | "annotations") =>
    gone(table, db.prepare(`DELETE FROM ${table} WHERE ${ofFilms} RETURNING id`).pluck().all(patientId));
  return [...remove("readings"), ...remove("annotations")];
}

function eraseRest(db: WritableDb, { patientId, uuids }: Question): void {
  const instances = "dicom_instances WHERE film_id IN (SELECT id FROM films WHERE patient_id = ?)";
  db.prepare(
    `DELETE FROM waiting_results WHERE film_sop_instance_uid IN (SELECT sop_instance_uid FROM ${instances})`,
  ).run(patientId);
  db.prepare(`DELETE FROM ${instances}`).run(patientId);
  db.prepare("DELETE FROM films WHERE patient_id = ?").run(patientId);
  db.prepare("DELETE FROM dicom_patients WHERE patient_id = ?").run(patientId);
  db.prepare("DELETE FROM patient_aliases WHERE patient_id = ?").run(patientId);
  db.prepare("DELETE FROM patients WHERE id = ?").run(patientId);
  deleteSessions(db, z.array(z.string()).parse(JSON.parse(uuids)));
}

/** A capture session keeps its patient as it was named. */
function deleteSessions(db: WritableDb, uuids: readonly string[]): void {
  const sessions = z
    .array(z.object({ id: z.string(), uuid: z.string() }))
    .parse(db.prepare("SELECT id, uuid FROM pop_sessions WHERE uuid IS NOT NULL").all());
  const remove = db.prepare("DELETE FROM pop_sessions WHERE id = ?");
  for (const { id, uuid } of sessions) if (uuids.includes(comparedIdentifier(uuid))) remove.run(id);
}

function gone(table: string, rowKeys: readonly unknown[]): ErasedRow[] {
  return keys.parse(rowKeys).map((key) => ({ subject: `${table}/${key}`, found: null }));
}

function state(db: WritableDb, erasure: Erasure, pseudonym: string, rows: readonly ErasedRow[]): void {
  const { why, by, at, privateKey, accountName } = erasure;
  if (listAccounts(db).length === 0) ensureAccount(db, { name: accountName, at });
  const problem = `${rows.length} rows of one patient were erased or given a pseudonym`;
  const found = digestOfErasure(rows);
  const subject = subjectOfErasure(pseudonym);
  appendStatement(db, { subject, problem, found, lostUpTo: null, why, by, at: at.toISOString() }, privateKey);
}
