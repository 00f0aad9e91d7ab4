import { firstPreviousHash, type LedgerEvent } from "../../../core/billing/ledger-event.ts";
import { tierOfOrdinal } from "../../../core/billing/tariff.ts";
import { z } from "zod";
import type { ReadableDb } from "../connection.ts";
import { iterateLedger } from "./ledger-reports.ts";
import { hashLedgerEvent } from "./ledger.ts";

/**
 * Outcome of a verification: intact with the hash of the last row, or the first broken row and what is wrong with it.
 */
export type LedgerVerification =
  | { readonly isIntact: true; readonly rows: number; readonly lastHash: string }
  | { readonly isIntact: false; readonly rows: number; readonly brokenAtSeq: number; readonly problem: string };

/**
 * Recomputes the ledger from its first row: numbers without a gap, each hash over its row and the hash before it, each
 * charge's place in its month and tier, each reversal the negative of one earlier charge; and that no row is missing at
 * the end.
 *
 * @returns the first fault found; `rows` counts the rows read up to it
 */
export function verifyLedger(db: ReadableDb): LedgerVerification {
  return db.transaction(() => verifyRows(db)).deferred();
}

function verifyRows(db: ReadableDb): LedgerVerification {
  const book = new Book();
  let rows = 0;
  for (const row of readRows(db)) {
    rows += 1;
    const problem = typeof row === "string" ? row : book.problemWith(row);
    if (problem !== null)
      return { isIntact: false, rows, brokenAtSeq: typeof row === "string" ? rows : row.seq, problem };
    if (typeof row !== "string") book.add(row);
  }
  const lastSeq = lastSeqEverGiven(db);
  if (lastSeq > rows)
    return {
      isIntact: false,
      rows,
      brokenAtSeq: rows + 1,
      problem: `rows ${rows + 1} to ${lastSeq} are missing at the end`,
    };
  return { isIntact: true, rows, lastHash: book.lastHash };
}

/** A row that does not even have the shape of one ends the reading with its fault in words. */
function* readRows(db: ReadableDb): Generator<LedgerEvent | string> {
  try {
    yield* iterateLedger(db);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    yield `the row does not have the shape of a ledger row: ${z.prettifyError(error)}`;
  }
}

/** SQLite remembers the highest number of an AUTOINCREMENT table even when its last rows are gone. */
function lastSeqEverGiven(db: ReadableDb): number {
  const row = z
    .object({ seq: z.int() })
    .optional()
    .parse(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'ledger'").get());
  return row?.seq ?? 0;
}

/** What the rows so far say, kept small: open charges by number and the standing calls of each account's month. */
class Book {
  lastHash = firstPreviousHash;
  private lastSeq = 0;
  private readonly standing = new Map<number, { readonly month: string; readonly amountCents: number | null }>();
  private readonly calls = new Map<string, number>();

  problemWith(row: LedgerEvent): string | null {
    if (row.seq !== this.lastSeq + 1) return `row ${this.lastSeq + 1} is missing`;
    if (row.previousHash !== this.lastHash) return "the hash of the row before does not match";
    if (row.hash !== hashLedgerEvent(row)) return "the row does not match its own hash";
    return row.kind === "charge" ? this.problemWithCharge(row) : this.problemWithReversal(row);
  }

  add(row: LedgerEvent): void {
    this.lastSeq = row.seq;
    this.lastHash = row.hash;
    const charged = row.kind === "reversal" ? this.standing.get(row.reverses ?? 0) : undefined;
    const month = charged?.month ?? monthOf(row);
    this.calls.set(month, (this.calls.get(month) ?? 0) + (row.kind === "charge" ? 1 : -1));
    if (row.kind === "charge") this.standing.set(row.seq, { month, amountCents: row.amountCents });
    else this.standing.delete(row.reverses ?? 0);
  }

  private problemWithCharge(row: LedgerEvent): string | null {
    const ordinal = (this.calls.get(monthOf(row)) ?? 0) + 1;
    if (row.ordinal !== ordinal) return `its place in the month is ${row.ordinal}, not ${ordinal}`;
    return row.tier === tierOfOrdinal(ordinal) ? null : `its tier is ${row.tier}, not ${tierOfOrdinal(ordinal)}`;
  }

  private problemWithReversal(row: LedgerEvent): string | null {
    const charged = this.standing.get(row.reverses ?? 0);
    if (!charged) return `it reverses ${row.reverses}, which is no standing charge`;
    const amountCents = charged.amountCents && -charged.amountCents;
    return row.amountCents === amountCents ? null : `it takes back ${row.amountCents} cents, not ${amountCents}`;
  }
}

function monthOf(row: LedgerEvent): string {
  return `${row.accountId} ${row.period}`;
}
