import { createHash } from "node:crypto";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Stated } from "../ledger/record-fault.ts";

/** A row affected by an erasure, and the SHA-256 of its present content; null if deleted. */
export type ErasedRow = { readonly subject: string; readonly found: string | null };

export function subjectOfErasure(pseudonym: string): string {
  return `erasure/${pseudonym}`;
}

/** Independent of the order of the rows. */
export function digestOfErasure(rows: readonly ErasedRow[]): string {
  const listed = rows
    .toSorted((one, other) => (one.subject < other.subject ? -1 : 1))
    .map(({ subject, found }) => [subject, found]);
  return createHash("sha256").update(JSON.stringify(listed)).digest("hex");
}

export async function saveErasedRows(db: WritableDb, pseudonym: string, rows: readonly ErasedRow[]): Promise<void> {
  for (const { subject, found } of rows)
    await db.insertInto("erasedRows").values({ pseudonym, subject, found }).execute();
}

/** Faults that administrators have stated, and the rows of each erasure that match the digest in a statement. */
export async function listStated(db: ReadableDb, statements: readonly LedgerStatement[]): Promise<readonly Stated[]> {
  const erasures = Map.groupBy(await db.selectFrom("erasedRows").selectAll().execute(), ({ pseudonym }) => pseudonym);
  const signed = statements.flatMap(({ subject, found }) => {
    const listed = erasures.get(subject.slice(subjectOfErasure("").length)) ?? [];
    return subject.startsWith(subjectOfErasure("")) && found === digestOfErasure(listed) ? listed : [];
  });
  return [...statements, ...signed.map(({ subject, found }) => ({ subject, found, lostUpTo: null }))];
}
