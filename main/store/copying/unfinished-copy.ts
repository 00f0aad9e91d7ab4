import { sql } from "kysely";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf, transaction } from "../engines/engine.ts";
import { readHead } from "../ledger/record-anchor.ts";
import { copiedTables, nameOfTable, readLastKey } from "./copied-tables.ts";

/** Table that marks a store as an unfinished copy, which programs do not open. */
export const unfinishedCopyTable = "unfinished_copy";

export type CopyPlace = {
  readonly db: WritableDb;
  readonly place: string;
};

export type CopyTarget = CopyPlace & {
  /** The target is a file created for the copy, which needs no check for other content. */
  readonly isOwnFile: boolean;
};

/** Records which store is copied, or checks that it is the same one. @throws AppError CONFLICT for other content */
export async function beginCopy(source: CopyPlace, { db, place, isOwnFile }: CopyTarget): Promise<void> {
  const { ledgerSeq, ledgerHash, sealSeq, sealHash } = await readHead(source.db, Date.now());
  const state = JSON.stringify([ledgerSeq, ledgerHash, sealSeq, sealHash]);
  await transaction(db, async () => {
    if (await engineOf(db).hasTable(unfinishedCopyTable)) return await assertSame(db, source.place, state, place);
    if (!isOwnFile) await assertEmpty(db, place);
    await sql`CREATE TABLE ${sql.table(unfinishedCopyTable)} (source text NOT NULL, state text NOT NULL)`.execute(db);
    await sql`INSERT INTO ${sql.table(unfinishedCopyTable)} (source, state)
      VALUES (${source.place}, ${state})`.execute(db);
  });
}

export async function finishCopy(db: WritableDb): Promise<void> {
  await transaction(db, async () => void (await sql`DROP TABLE ${sql.table(unfinishedCopyTable)}`.execute(db)));
}

async function assertSame(db: ReadableDb, from: string, state: string, place: string): Promise<void> {
  const note = sql<{ source: string; state: string }>`SELECT source, state FROM ${sql.table(unfinishedCopyTable)}`;
  const [begun] = (await note.execute(db)).rows;
  if (begun?.source === from && begun.state === state) return;
  const other = begun?.source === from ? `${from} as it was earlier` : `${begun?.source}`;
  throw new AppError(
    "CONFLICT",
    `${place} holds an unfinished copy of ${other}. Finish that one, or begin with an empty target.`,
  );
}

async function assertEmpty(db: ReadableDb, place: string): Promise<void> {
  for (const table of copiedTables)
    if ((await readLastKey(db, table)) !== null)
      throw new AppError("CONFLICT", `${place} is not empty: there are rows in ${nameOfTable(table)}.`);
}
