import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { z } from "zod";
import { ledgerEventSchema, type LedgerEvent } from "../../../core/billing/ledger-event.ts";
import { because, type Reason } from "../../../core/app-error.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { ReadableDb } from "../connection.ts";
import { engineOf, snapshot } from "../engines/engine.ts";
import { inPages } from "../engines/in-pages.ts";
import { listStated } from "../privacy/erased-rows.ts";
import type { Tables } from "../tables.ts";
import { LedgerBook } from "./ledger-book.ts";
import { listStatements } from "./ledger-statements.ts";
import { findRowAhead, problemWithRowAhead, readLastRow } from "./ledger.ts";
import { listVolumes, type MonthlyVolume } from "./monthly-volumes.ts";
import type { RecordHead } from "./record-anchor.ts";
import { isStated, type RecordFault } from "./record-fault.ts";

/** Null if the fault is in another table. */
export function seqOf({ subject }: RecordFault): number | null {
  return /^\d+$/.test(subject) ? Number(subject) : null;
}

export function codeOfFault(fault: RecordFault): "LEDGER_BROKEN" | "RECORD_BROKEN" {
  return seqOf(fault) === null ? "RECORD_BROKEN" : "LEDGER_BROKEN";
}

/**
 * Verifies that numbers have no gap, that each hash covers its row and the previous hash, that each charge has the
 * right place in its month and the right tier, that each reversal negates one earlier charge, that no row is missing at
 * the end, and that the monthly counts match the rows.
 *
 * @param head  of the record, as noted outside the store
 * @returns     `fault`: the first one without a statement; `volumes`: billable calls by account and month up to it
 */
export function readLedger(db: ReadableDb, head: RecordHead | null) {
  return snapshot(db, () => readRows(db, head));
}

async function readRows(db: ReadableDb, head: RecordHead | null) {
  const statements = await listStatements(db);
  const stated = await listStated(db, statements);
  const book = new LedgerBook();
  let rows = 0;
  let fault: RecordFault | null = null;
  const ledger = db.selectFrom("ledger").select(readColumns).orderBy("seq");
  for await (const row of inPages((seq) => (seq === null ? ledger : ledger.where("seq", ">", seq)))) {
    rows += 1;
    fault = faultOfRow(row, rows, book);
    if (fault !== null && !isStated(stated, fault)) break;
    if (fault === null) book.add(ledgerEventSchema.parse(row));
    else book.accept(row);
    fault = null;
  }
  const volumes = book.volumes();
  fault ??=
    [await faultOfEnd(db, rows, head), await faultOfHead(db, head), await faultOfVolumes(db, rows, volumes)].find(
      (found) => found !== null && !isStated(stated, found),
    ) ?? null;
  return { rows, lastHash: book.lastHash, fault, statements, volumes };
}

/** Columns hashed by statements and erasures, in this order; must not change. */
const readColumns = [
  "seq",
  "kind",
  "callId",
  "accountId",
  "keyId",
  "service",
  "callType",
  "uuid",
  "atMs",
  "period",
  "ordinal",
  "tier",
  "amountCents",
  "currency",
  "reverses",
  "note",
  "measurementId",
  "previousHash",
  "hash",
  "uuidNfc",
] as const;

type StoredRow = Pick<Selectable<Tables["ledger"]>, (typeof readColumns)[number]>;

export async function contentHashOfLedgerRow(db: ReadableDb, seq: number): Promise<string> {
  const row = db.selectFrom("ledger").select(readColumns).where("seq", "=", seq);
  return contentHashOf(await row.executeTakeFirstOrThrow());
}

function contentHashOf(raw: StoredRow): string {
  return createHash("sha256")
    .update(JSON.stringify(readColumns.map((name) => raw[name])))
    .digest("hex");
}

/** The fault may also be that the row does not match the schema. */
function faultOfRow(raw: StoredRow, rows: number, book: LedgerBook): RecordFault | null {
  const row = ledgerEventSchema.safeParse(raw);
  const problem = row.success
    ? (problemWithPatient(row.data, raw.uuidNfc) ?? book.problemWith(row.data))
    : because("ledgerRowShapeless", { row: rows, why: z.prettifyError(row.error) });
  if (problem === null) return null;
  return { subject: String(row.success ? row.data.seq : rows), problem, found: contentHashOf(raw), lostUpTo: null };
}

function problemWithPatient({ seq, uuid }: LedgerEvent, compared: string | null): Reason | null {
  return comparedIdentifier(uuid) === compared ? null : because("ledgerPatientChanged", { row: seq });
}

/** Detects that the last rows were deleted, by the highest number ever assigned. */
async function faultOfEnd(db: ReadableDb, rows: number, head: RecordHead | null): Promise<RecordFault | null> {
  const lastSeq = await engineOf(db).lastGiven("ledger");
  if (lastSeq <= rows) return null;
  const found = head !== null && head.ledgerSeq > rows ? head.ledgerHash : null;
  return lostRows(rows, lastSeq, found, "ledgerRowsLost");
}

/** Fault if rows noted outside the store are missing or differ in it. */
export async function faultOfHead(db: ReadableDb, head: RecordHead | null): Promise<RecordFault | null> {
  if (head === null || head.ledgerSeq === 0) return null;
  const rows = (await readLastRow(db))?.seq ?? 0;
  const { ledgerSeq: seq, ledgerHash } = head;
  if (seq > rows) return lostRows(rows, seq, ledgerHash, "ledgerNotedRowsLost");
  const row = await db.selectFrom("ledger").select("hash").where("seq", "=", seq).executeTakeFirst();
  if (row?.hash === ledgerHash) return null;
  const problem = because("ledgerRowsRewritten", { row: seq });
  return { subject: String(seq), problem, found: ledgerHash, lostUpTo: seq };
}

/** Fault of a last row dated later than `now`: nothing is charged until an administrator accepts it in a statement. */
export async function faultOfClock(db: ReadableDb, now: Date): Promise<RecordFault | null> {
  const row = await findRowAhead(db, now);
  if (row === null) return null;
  const found = await contentHashOfLedgerRow(db, row.seq);
  return { subject: String(row.seq), problem: problemWithRowAhead(row), found, lostUpTo: null };
}

function lostRows(
  rows: number,
  lostUpTo: number,
  found: string | null,
  name: "ledgerRowsLost" | "ledgerNotedRowsLost",
): RecordFault {
  const problem = because(name, { first: rows + 1, last: lostUpTo });
  return { subject: String(rows + 1), problem, found, lostUpTo };
}

async function faultOfVolumes(
  db: ReadableDb,
  rows: number,
  volumes: readonly MonthlyVolume[],
): Promise<RecordFault | null> {
  const keyOf = ({ accountId, period }: MonthlyVolume) => `${period} of ${accountId}`;
  const counted = new Map((await listVolumes(db)).map((volume) => [keyOf(volume), volume.calls]));
  const computed = new Map(volumes.map((volume) => [keyOf(volume), volume.calls]));
  const month = [...new Set([...counted.keys(), ...computed.keys()])].find(
    (key) => (counted.get(key) ?? 0) !== (computed.get(key) ?? 0),
  );
  if (month === undefined) return null;
  const [calls, expected] = [counted.get(month) ?? 0, computed.get(month) ?? 0];
  const problem = because("ledgerMonthWrong", { month: month.slice(0, 7), found: calls, expected });
  return { subject: String(rows), problem, found: String(calls), lostUpTo: null };
}
