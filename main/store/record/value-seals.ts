import { createHash } from "node:crypto";
import { z } from "zod";
import { because, type Reason } from "../../../core/app-error.ts";
import { firstPreviousHash } from "../../../core/billing/ledger-event.ts";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { prepared } from "../prepared.ts";
import { recordGrew, type RecordHead } from "../ledger/record-anchor.ts";
import { isStated, type RecordFault } from "../ledger/record-fault.ts";
import { listStated } from "../privacy/erased-rows.ts";

/** Tables whose rows are sealed, and the column that names a row. */
const sealedSources = {
  measurements: "id",
  readings: "id",
  usg_predictions: "call_id",
  audit_events: "seq",
  annotations: "id",
} as const;

/** A table whose rows are sealed. */
type SealedSource = keyof typeof sealedSources;

/** Identifiers are not sealed: a patient's can be exchanged for a pseudonym. */
const unsealedColumns = new Set(["uuid", "uuid_nfc", "clinic_code", "clinic_code_nfc"]);

const sealSchema = z.object({
  seq: z.int(),
  source: z.enum(["measurements", "readings", "usg_predictions", "audit_events", "annotations"]),
  rowKey: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
const lastSealSchema = z.object({ seq: z.int(), hash: z.string() }).optional();
const rowSchema = z.record(z.string(), z.unknown());

/** The seal of one row: its hash covers the row's values and the hash of the seal before. */
type ValueSeal = Readonly<z.infer<typeof sealSchema>>;

/**
 * Seals a row that was just written, in its transaction.
 *
 * @param rowKey  the row's own identity, as text
 */
export function sealValues(db: WritableDb, source: SealedSource, rowKey: string): void {
  const last = lastSealSchema.parse(prepared(db, "SELECT seq, hash FROM value_seals ORDER BY seq DESC LIMIT 1").get());
  const content = contentOf(db, source, rowKey);
  if (content === null) throw new Error(`there is no ${source} ${rowKey} to seal`);
  const seal = { seq: (last?.seq ?? 0) + 1, source, rowKey, previousHash: last?.hash ?? firstPreviousHash };
  prepared(
    db,
    "INSERT INTO value_seals (seq, source, row_key, previous_hash, hash) VALUES (:seq, :source, :rowKey, :previousHash, :hash)",
  ).run({ ...seal, hash: hashOfSeal(seal, content) });
  recordGrew(db);
}

/** Seals every row that has no seal yet: once, for what was kept before there were seals. */
export function sealEverything(db: WritableDb): void {
  for (const [source, key] of Object.entries(sealedSources)) {
    if (source === "audit_events" || source === "annotations") continue; // there were no such tables yet
    const keys = db
      .prepare(
        `SELECT CAST(${key} AS TEXT) FROM ${source} WHERE CAST(${key} AS TEXT) NOT IN
         (SELECT row_key FROM value_seals WHERE source = '${source}') ORDER BY rowid`,
      )
      .pluck()
      .all();
    for (const rowKey of z.array(z.string()).parse(keys)) sealValues(db, source as SealedSource, rowKey);
  }
}

/** Kept values and events of the audit trail whose seals were read, and the first fault without a statement. */
type SealVerification = { readonly seals: number; readonly events: number; readonly fault: RecordFault | null };

/**
 * Recomputes every seal from the row that it covers: numbers without a gap, each hash over the row's values and the
 * hash before it, no row without its seal.
 *
 * @param statements  what administrators have stated about faults that stay
 * @param head        how far the record had come, as it is noted outside of the store
 * @returns           what was read, and the first fault without a statement
 */
export function verifySeals(
  db: ReadableDb,
  statements: readonly LedgerStatement[],
  head: RecordHead | null,
): SealVerification {
  let [seals, events, lastSeq, lastHash] = [0, 0, 0, firstPreviousHash];
  const stated = listStated(db, statements);
  const rows = db.prepare(
    "SELECT seq, source, row_key AS rowKey, previous_hash AS previousHash, hash FROM value_seals ORDER BY seq",
  );
  for (const row of rows.iterate()) {
    const seal = sealSchema.parse(row);
    if (seal.source === "audit_events") events += 1;
    else seals += 1;
    const fault = faultOfSeal(db, seal, { lastSeq, lastHash });
    if (fault !== null && !isStated(stated, fault)) return { seals, events, fault };
    [lastSeq, lastHash] = [seal.seq, seal.hash];
  }
  const faults = [faultOfEnd(db, lastSeq), faultOfSealHead(db, head), ...faultsOfUnsealed(db)];
  return { seals, events, fault: faults.find((found) => found !== null && !isStated(stated, found)) ?? null };
}

function faultOfSeal(
  db: ReadableDb,
  seal: ValueSeal,
  before: { readonly lastSeq: number; readonly lastHash: string },
): RecordFault | null {
  if (seal.seq !== before.lastSeq + 1 || seal.previousHash !== before.lastHash)
    return faultOf(`seal/${seal.seq}`, because("sealBeforeChanged", { seal: seal.seq }), seal.hash);
  const content = contentOf(db, seal.source, seal.rowKey);
  const subject = `${seal.source}/${seal.rowKey}`;
  if (content === null) return faultOf(subject, because("valueMissing", { subject }), null);
  if (hashOfSeal(seal, content) === seal.hash) return null;
  return faultOf(subject, because("valueChanged", { subject }), sha256Of(content));
}

/** SHA-256 of what a sealed row says now, as a fault names it; null where it is gone. */
export function contentHashOfRow(db: ReadableDb, source: SealedSource, rowKey: string): string | null {
  const content = contentOf(db, source, rowKey);
  return content === null ? null : sha256Of(content);
}

function sha256Of(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SQLite remembers the highest number of an AUTOINCREMENT table even when its last rows are gone. */
function faultOfEnd(db: ReadableDb, lastSeq: number): RecordFault | null {
  const lastGiven = z
    .int()
    .parse(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'value_seals'").pluck().get() ?? 0);
  if (lastGiven <= lastSeq) return null;
  return faultOf("seal/last", because("sealsLost", { last: lastGiven }), String(lastGiven));
}

/** Seals that were noted outside of the store and are not in it; null where nothing is lost. */
export function faultOfSealHead(db: ReadableDb, head: RecordHead | null): RecordFault | null {
  if (head === null || head.sealSeq === 0) return null;
  const hash = db.prepare("SELECT hash FROM value_seals WHERE seq = ?").pluck().get(head.sealSeq);
  if (hash === head.sealHash) return null;
  const problem = because(hash === undefined ? "notedSealsLost" : "sealReplaced", { last: head.sealSeq });
  return faultOf("seal/noted", problem, head.sealHash);
}

function faultsOfUnsealed(db: ReadableDb): readonly RecordFault[] {
  return Object.entries(sealedSources).flatMap(([source, key]) =>
    db
      .prepare(
        `SELECT CAST(${key} AS TEXT) FROM ${source} WHERE NOT EXISTS
         (SELECT 1 FROM value_seals WHERE source = '${source}' AND row_key = CAST(${source}.${key} AS TEXT))`,
      )
      .pluck()
      .all()
      .map((rowKey) => `${source}/${String(rowKey)}`)
      .map((subject) => faultOf(subject, because("valueUnsealed", { subject }), null)),
  );
}

function faultOf(subject: string, problem: Reason, found: string | null): RecordFault {
  return { subject, problem, found, lostUpTo: null };
}

/** The values of a row by column name; columns without a value do not count, so that a later column changes nothing. */
function contentOf(db: ReadableDb, source: SealedSource, rowKey: string): string | null {
  const row = prepared(db, `SELECT * FROM ${source} WHERE ${sealedSources[source]} = ?`).get(rowKey);
  if (row === undefined) return null;
  const values = Object.entries(rowSchema.parse(row))
    .filter(([name, value]) => value !== null && !unsealedColumns.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(source === "readings" ? [...values, ...measuredOf(db, rowKey)] : values);
}

/** What a reading measured lies in rows of their own. */
function measuredOf(db: ReadableDb, readingId: string): readonly unknown[] {
  return db
    .prepare("SELECT measure, value FROM reading_values WHERE reading_id = ? ORDER BY measure")
    .raw()
    .all(readingId);
}

function hashOfSeal({ seq, source, rowKey, previousHash }: Omit<ValueSeal, "hash">, content: string): string {
  return createHash("sha256")
    .update(JSON.stringify([seq, source, rowKey, content, previousHash]))
    .digest("hex");
}
