import { createHash } from "node:crypto";
import { z } from "zod";
import { ledgerEventSchema, type LedgerEvent } from "../../../core/billing/ledger-event.ts";
import { because, reasonInEnglish, type Reason } from "../../../core/app-error.ts";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { ReadableDb } from "../connection.ts";
import { listStated } from "../privacy/erased-rows.ts";
import { LedgerBook } from "./ledger-book.ts";
import { listStatements } from "./ledger-statements.ts";
import { ledgerColumns, readLastRow } from "./ledger.ts";
import { listVolumes, type MonthlyVolume } from "./monthly-volumes.ts";
import type { RecordHead } from "./record-anchor.ts";
import { isStated, type RecordFault } from "./record-fault.ts";

/**
 * Outcome of a verification: intact with the hash of the last row and what administrators have stated about broken
 * rows, or the first broken row without a statement and what is wrong with it.
 */
export type LedgerVerification =
  | {
      readonly isIntact: true;
      readonly rows: number;
      readonly lastHash: string;
      /** Absent while there are none. */
      readonly statements?: readonly LedgerStatement[];
    }
  | {
      readonly isIntact: false;
      readonly rows: number;
      readonly brokenAtSeq: number;
      readonly problem: string;
    };

/** What the rows of the ledger say; `fault` is the first one without a statement. */
export type LedgerReading = {
  readonly rows: number;
  readonly lastHash: string;
  readonly fault: RecordFault | null;
  readonly statements: readonly LedgerStatement[];
  /** Billable calls by account and month, as the rows say up to the fault. */
  readonly volumes: readonly MonthlyVolume[];
};

/**
 * Recomputes the ledger from its first row: numbers without a gap, each hash over its row and the hash before it, each
 * charge's place in its month and tier, each reversal the negative of one earlier charge; that no row is missing at
 * the end, and that the counts of the months are those of the rows.
 *
 * @param head  how far the record had come, as it is noted outside of the store
 * @returns     the first fault found; `rows` counts the rows read up to it
 */
export function verifyLedger(db: ReadableDb, head: RecordHead | null = null): LedgerVerification {
  const { rows, lastHash, fault, statements } = readLedger(db, head);
  if (fault === null) return { isIntact: true, rows, lastHash, ...(statements.length > 0 && { statements }) };
  return { isIntact: false, rows, brokenAtSeq: seqOf(fault) ?? rows, problem: reasonInEnglish(fault.problem) };
}

/** The row of the ledger that a fault names; null when it is in another table. */
export function seqOf({ subject }: RecordFault): number | null {
  return /^\d+$/.test(subject) ? Number(subject) : null;
}

/** Reads the whole ledger in one transaction. @see verifyLedger */
export function readLedger(db: ReadableDb, head: RecordHead | null): LedgerReading {
  return db.transaction(() => readRows(db, head)).deferred();
}

function readRows(db: ReadableDb, head: RecordHead | null): LedgerReading {
  const statements = listStatements(db);
  const stated = listStated(db, statements);
  const book = new LedgerBook();
  let rows = 0;
  let fault: RecordFault | null = null;
  for (const raw of db.prepare(`SELECT ${readColumns} FROM ledger ORDER BY seq`).iterate()) {
    rows += 1;
    const row = rawSchema.parse(raw);
    fault = faultOfRow(row, rows, book);
    if (fault !== null && !isStated(stated, fault)) break;
    if (fault === null) book.add(ledgerEventSchema.parse(row));
    else book.accept(row);
    fault = null;
  }
  const volumes = book.volumes();
  fault ??=
    [faultOfEnd(db, rows, head), faultOfHead(db, head), faultOfVolumes(db, rows, volumes)].find(
      (found) => found !== null && !isStated(stated, found),
    ) ?? null;
  return { rows, lastHash: book.lastHash, fault, statements, volumes };
}

const rawSchema = z.record(z.string(), z.unknown());
const readColumns = `${ledgerColumns}, uuid_nfc AS comparedUuid`;

/** SHA-256 of what stands in a row of the ledger now, as a fault names it. */
export function contentHashOfLedgerRow(db: ReadableDb, seq: number): string {
  return contentHashOf(rawSchema.parse(db.prepare(`SELECT ${readColumns} FROM ledger WHERE seq = ?`).get(seq)));
}

function contentHashOf(raw: Readonly<Record<string, unknown>>): string {
  return createHash("sha256")
    .update(JSON.stringify(Object.values(raw)))
    .digest("hex");
}

/** A row that does not even have the shape of one is a fault in words, too. */
function faultOfRow(raw: Readonly<Record<string, unknown>>, rows: number, book: LedgerBook): RecordFault | null {
  const row = ledgerEventSchema.safeParse(raw);
  const problem = row.success
    ? (problemWithPatient(row.data, raw["comparedUuid"]) ?? book.problemWith(row.data))
    : because("ledgerRowShapeless", { row: rows, why: z.prettifyError(row.error) });
  if (problem === null) return null;
  return { subject: String(row.success ? row.data.seq : rows), problem, found: contentHashOf(raw), lostUpTo: null };
}

function problemWithPatient({ seq, uuid }: LedgerEvent, compared: unknown): Reason | null {
  return comparedIdentifier(uuid) === compared ? null : because("ledgerPatientChanged", { row: seq });
}

/** SQLite remembers the highest number of an AUTOINCREMENT table even when its last rows are gone. */
function faultOfEnd(db: ReadableDb, rows: number, head: RecordHead | null): RecordFault | null {
  const lastSeq = z.int().parse(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'ledger'").pluck().get() ?? 0);
  if (lastSeq <= rows) return null;
  const found = head !== null && head.ledgerSeq > rows ? head.ledgerHash : null;
  return lostRows(rows, lastSeq, found, "ledgerRowsLost");
}

/**
 * Rows that were noted outside of the store and are not in it, or stand there otherwise; null where nothing is lost.
 */
export function faultOfHead(db: ReadableDb, head: RecordHead | null): RecordFault | null {
  if (head === null || head.ledgerSeq === 0) return null;
  const rows = readLastRow(db)?.seq ?? 0;
  const { ledgerSeq: seq, ledgerHash } = head;
  if (seq > rows) return lostRows(rows, seq, ledgerHash, "ledgerNotedRowsLost");
  const hash = db.prepare("SELECT hash FROM ledger WHERE seq = ?").pluck().get(seq);
  if (hash === ledgerHash) return null;
  const problem = because("ledgerRowsRewritten", { row: seq });
  return { subject: String(seq), problem, found: ledgerHash, lostUpTo: seq };
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

function faultOfVolumes(db: ReadableDb, rows: number, volumes: readonly MonthlyVolume[]): RecordFault | null {
  const keyOf = ({ accountId, period }: MonthlyVolume) => `${period} of ${accountId}`;
  const counted = new Map(listVolumes(db).map((volume) => [keyOf(volume), volume.calls]));
  const said = new Map(volumes.map((volume) => [keyOf(volume), volume.calls]));
  const month = [...new Set([...counted.keys(), ...said.keys()])].find(
    (key) => (counted.get(key) ?? 0) !== (said.get(key) ?? 0),
  );
  if (month === undefined) return null;
  const [calls, expected] = [counted.get(month) ?? 0, said.get(month) ?? 0];
  const problem = because("ledgerMonthWrong", { month: month.slice(0, 7), found: calls, expected });
  return { subject: String(rows), problem, found: String(calls), lostUpTo: null };
}
