import { createHash } from "node:crypto";
import { z } from "zod";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Stated } from "../ledger/record-fault.ts";

const rowsSchema = z.array(z.object({ pseudonym: z.string(), subject: z.string(), found: z.string().nullable() }));

/** A row that an erasure touched, and the SHA-256 of what stands there now; null where it is gone. */
export type ErasedRow = { readonly subject: string; readonly found: string | null };

/** What the statement of an erasure calls its subject. */
export function subjectOfErasure(pseudonym: string): string {
  return `erasure/${pseudonym}`;
}

/** SHA-256 of what an erasure touched, as its statement names it; the order of the rows does not count. */
export function digestOfErasure(rows: readonly ErasedRow[]): string {
  const listed = rows
    .toSorted((one, other) => (one.subject < other.subject ? -1 : 1))
    .map(({ subject, found }) => [subject, found]);
  return createHash("sha256").update(JSON.stringify(listed)).digest("hex");
}

/** Keeps the list of what an erasure touched. */
export function keepErasedRows(db: WritableDb, pseudonym: string, rows: readonly ErasedRow[]): void {
  const insert = db.prepare(
    "INSERT INTO erased_rows (pseudonym, subject, found) VALUES (:pseudonym, :subject, :found)",
  );
  for (const row of rows) insert.run({ pseudonym, ...row });
}

/**
 * What verification may pass over: faults that administrators have stated, and the rows of each erasure whose list is
 * the one that a signed statement names.
 */
export function listStated(db: ReadableDb, statements: readonly LedgerStatement[]): readonly Stated[] {
  // A backup of an earlier version has no erasures.
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'erased_rows'").get() === undefined) return statements;
  const rows = rowsSchema.parse(db.prepare("SELECT pseudonym, subject, found FROM erased_rows").all());
  const erasures = Map.groupBy(rows, ({ pseudonym }) => pseudonym);
  const signed = statements.flatMap(({ subject, found }) => {
    const listed = erasures.get(subject.slice(subjectOfErasure("").length)) ?? [];
    return subject.startsWith(subjectOfErasure("")) && found === digestOfErasure(listed) ? listed : [];
  });
  return [...statements, ...signed.map(({ subject, found }) => ({ subject, found, lostUpTo: null }))];
}
