import { DatabaseError } from "pg";
import { AppError } from "../../../../core/app-error.ts";
import { commandLine } from "../../../program.ts";
import type { ReadableDb, WritableDb } from "../../connection.ts";
import { unfinishedCopyTable } from "../../copying/unfinished-copy.ts";
import { applyMigrations, isUpToDate } from "../../opening/migrations.ts";
import { engineOf, transaction } from "../engine.ts";
import { findMisfit } from "./server-facts.ts";
import { readPostgresAddress } from "./postgres-address.ts";
import { grantRights } from "./postgres-schema.ts";
import { createPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";

export type OpenPostgresOptions = PostgresStoreOptions & {
  /** Accepts a store with an unfinished copy, for the copy that continues it. Default false. */
  readonly takesUnfinishedCopy?: boolean;
};

/**
 * Opens the store in a PostgreSQL database and migrates its schema, which requires the owner of the database.
 *
 * @param url  @see readPostgresAddress
 * @throws AppError STORE_UNAVAILABLE if the database is unreachable or unsuitable, contains an unfinished copy or must
 *   be migrated by its owner, STORE_TOO_NEW if a newer Corvet has migrated it
 */
export async function openPostgresStore(
  url: string,
  { takesUnfinishedCopy = false, ...options }: OpenPostgresOptions = {},
): Promise<WritableDb> {
  const { place } = readPostgresAddress(url);
  const db = createPostgresStore(url, options);
  try {
    await assertFits(db, place);
    if (!takesUnfinishedCopy) await assertFinished(db, place);
    if (!(await isUpToDate(db))) await migrate(url, place);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function assertFits(db: ReadableDb, place: string): Promise<void> {
  const misfit = await findMisfit(db);
  if (misfit !== null)
    throw new AppError("STORE_UNAVAILABLE", `The database ${place} cannot be used: ${misfits[misfit]}.`);
}

const misfits = {
  tooOld: "PostgreSQL 15 or newer is needed",
  encoding: "the database must be made with ENCODING 'UTF8'",
  noIcu: "a PostgreSQL with ICU is needed",
} as const;

async function assertFinished(db: ReadableDb, place: string): Promise<void> {
  if (!(await engineOf(db).hasTable(unfinishedCopyTable))) return;
  const detail = `The database ${place} holds an unfinished copy of a store: ${commandLine("store")} copy resumes it.`;
  throw new AppError("STORE_UNAVAILABLE", detail);
}

async function migrate(url: string, place: string): Promise<void> {
  const db = createPostgresStore(url, { isTimeLimited: false });
  try {
    await transaction(db, async () => {
      await applyMigrations(db);
      await grantRights(db);
    });
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === insufficientPrivilege)) throw error;
    const detail = `The database ${place} has to be migrated by its owner (${error.message}).`;
    throw new AppError("STORE_UNAVAILABLE", detail, { cause: error });
  } finally {
    await db.destroy();
  }
}

/** PostgreSQL error code. @see https://www.postgresql.org/docs/15/errcodes-appendix.html */
export const insufficientPrivilege = "42501";
