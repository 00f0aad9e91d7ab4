import { randomBytes, type KeyObject } from "node:crypto";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf, transaction } from "../engines/engine.ts";
import { deleteUnkeptImages } from "../film-images/film-images.ts";
import { isScreeningOf } from "../calls/usg-predictions.ts";
import { appendStatement } from "../ledger/ledger-statements.ts";
import { assertClockAgrees } from "../ledger/ledger.ts";
import { contentHashOfLedgerRow } from "../ledger/ledger-verification.ts";
import { emptyFindings } from "../calls/measurements.ts";
import { contentHashOfRow } from "../record/value-seals.ts";
import { digestOfErasure, saveErasedRows, subjectOfErasure, type ErasedRow } from "./erased-rows.ts";
import type { PatientIdentity } from "./patient-record.ts";

export type Erasure = {
  readonly identity: PatientIdentity;
  readonly why: string;
  readonly by: string;
  readonly at: Date;
  /** Ed25519; signs the statement. */
  readonly privateKey: KeyObject;
};

export type Erased = Awaited<ReturnType<typeof erasePatient>>;

/**
 * Erases a patient in one transaction. Billed data stays under a pseudonym, a billed measurement as an empty row. A
 * signed statement covers the affected rows, so that ledger and seals still verify. The caller deletes images stored as
 * separate files.
 *
 * @returns `rows`: number of affected rows; `films`: those whose images must be deleted
 * @throws AppError CLOCK_BEHIND, CLOCK_AHEAD @see assertClockAgrees
 */
export async function erasePatient(db: WritableDb, erasure: Erasure) {
  const erased = await transaction(db, async () => {
    // The statement becomes the last row: dated by a clock that was set back, it would permit charges with such dates.
    await assertClockAgrees(db, erasure.at);
    const pseudonym = `erased-${randomBytes(8).toString("hex")}`;
    const { patientId } = erasure.identity;
    const target = { ...erasure.identity, pseudonym };
    await db.insertInto("erasing").values({ pseudonym }).execute();
    const films = await filmsOf(db, patientId).select(["id", "sha256", "frameIndex"]).execute();
    const rows = [
      ...(await eraseLedger(db, target)),
      ...(await eraseValues(db, target)),
      ...(await eraseReadings(db, target)),
    ];
    await eraseRest(db, target);
    for (const film of films) await deleteUnkeptImages(db, film);
    await db.deleteFrom("erasing").execute();
    await saveErasedRows(db, pseudonym, rows);
    await state(db, erasure, pseudonym, rows);
    await recordAudit(db, {
      action: "patient.erased",
      at: erasure.at,
      patientId,
      detail: { pseudonym, rows: rows.length, films: films.length },
    });
    return { pseudonym, rows: rows.length, films };
  });
  await engineOf(db).forgetDeleted();
  return erased;
}

type ErasureTarget = PatientIdentity & { readonly pseudonym: string };

function filmsOf(db: ReadableDb, patientId: string | null) {
  return db.selectFrom("films").where("patientId", "=", patientId);
}

async function eraseLedger(db: WritableDb, { uuids, pseudonym }: ErasureTarget): Promise<ErasedRow[]> {
  const charges = await db
    .updateTable("ledger")
    .set({ uuid: pseudonym, uuidNfc: pseudonym })
    .where("uuidNfc", "in", uuids)
    .returning("seq")
    .execute();
  const rows: ErasedRow[] = [];
  for (const { seq } of charges) rows.push({ subject: String(seq), found: await contentHashOfLedgerRow(db, seq) });
  return rows;
}

async function eraseValues(db: WritableDb, target: ErasureTarget): Promise<ErasedRow[]> {
  const { uuids } = target;
  const emptied = await emptyBilled(db, target);
  const measurements = await db.deleteFrom("measurements").where("uuidNfc", "in", uuids).returning("id").execute();
  const screenings = await db.deleteFrom("usgPredictions").where(isScreeningOf(target)).returning("callId").execute();
  return [
    ...emptied,
    ...measurements.map(({ id }) => deletedRow("measurements", id)),
    ...screenings.map(({ callId }) => deletedRow("usg_predictions", callId)),
  ];
}

/** Rows of the ledger refer to billed measurements. */
async function emptyBilled(db: WritableDb, { uuids, pseudonym }: ErasureTarget): Promise<ErasedRow[]> {
  const billed = await db
    .updateTable("measurements")
    .set({ uuid: pseudonym, uuidNfc: pseudonym, ...emptyMeasurement })
    .where("uuidNfc", "in", uuids)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("ledger").select("seq").whereRef("measurementId", "=", "measurements.id")),
    )
    .returning("id")
    .execute();
  const rows: ErasedRow[] = [];
  for (const { id } of billed)
    rows.push({ subject: `measurements/${id}`, found: await contentHashOfRow(db, "measurements", String(id)) });
  return rows;
}

const emptyMeasurement = {
  isBest: 0,
  imageSha256: "",
  parameters: "{}",
  widthPx: 0,
  heightPx: 0,
  classifierConfidence: 0,
  ...emptyFindings,
};

async function eraseReadings(db: WritableDb, { patientId }: ErasureTarget): Promise<ErasedRow[]> {
  const films = filmsOf(db, patientId).select("id");
  const ofFilms = db.selectFrom("readings").select("id").where("filmId", "in", films);
  await db.deleteFrom("readingValues").where("readingId", "in", ofFilms).execute();
  const readings = await db.deleteFrom("readings").where("filmId", "in", films).returning("id").execute();
  const annotations = await db.deleteFrom("annotations").where("filmId", "in", films).returning("id").execute();
  return [
    ...readings.map(({ id }) => deletedRow("readings", id)),
    ...annotations.map(({ id }) => deletedRow("annotations", id)),
  ];
}

async function eraseRest(db: WritableDb, { patientId, uuids }: ErasureTarget): Promise<void> {
  await eraseSessions(db, uuids);
  if (patientId === null) return;
  const films = filmsOf(db, patientId).select("id");
  const instances = db.selectFrom("dicomInstances").select("sopInstanceUid").where("filmId", "in", films);
  await db.deleteFrom("waitingResults").where("filmSopInstanceUid", "in", instances).execute();
  await db.deleteFrom("dicomInstances").where("filmId", "in", films).execute();
  for (const table of ["films", "dicomPatients", "patientAliases"] as const)
    await db.deleteFrom(table).where("patientId", "=", patientId).execute();
  await db.deleteFrom("patients").where("id", "=", patientId).execute();
}

/** Capture sessions store the identifier as it was sent, not in comparison form. */
async function eraseSessions(db: WritableDb, uuids: readonly string[]): Promise<void> {
  const sessions = await db.selectFrom("popSessions").select(["id", "uuid"]).where("uuid", "is not", null).execute();
  const erased = sessions.filter(({ uuid }) => uuid !== null && uuids.includes(comparedIdentifier(uuid)));
  for (const { id } of erased) await db.deleteFrom("popSessions").where("id", "=", id).execute();
}

function deletedRow(table: string, rowKey: string | number): ErasedRow {
  return { subject: `${table}/${rowKey}`, found: null };
}

async function state(db: WritableDb, erasure: Erasure, pseudonym: string, rows: readonly ErasedRow[]): Promise<void> {
  const { why, by, at, privateKey } = erasure;
  const problem = `${rows.length} rows of one patient were erased or given a pseudonym`;
  const found = digestOfErasure(rows);
  const subject = subjectOfErasure(pseudonym);
  await appendStatement(db, { subject, problem, found, lostUpTo: null, why, by, at: at.toISOString() }, privateKey);
}
