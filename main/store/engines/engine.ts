import path from "node:path";
import type { Database } from "better-sqlite3";
import type { RawBuilder } from "kysely";
import { AppError, because, type Reason } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Bus } from "./bus.ts";
import type { StoreDriver } from "./store-driver.ts";

/** Tables whose rows are numbered without a gap by the program. */
export type NumberedTable = "ledger" | "value_seals" | "audit_events";

/** Behaviour that differs between databases, beyond the wording of queries. */
export type Engine = {
  readonly driver: StoreDriver;
  /** Null for PostgreSQL. */
  readonly file: Database | null;
  /** False after the file was deleted, moved or replaced. */
  readonly isInPlace: () => boolean;
  /** Whether the file is not in WAL mode, such as a backup. */
  readonly isWithoutLog: () => boolean;
  /** Whether another program has overwritten the file, so that the connection reads a mixture. @see giveUp */
  readonly isOverwritten: () => boolean;
  /** Refuses every write from now on, because the file was overwritten. */
  readonly giveUp: () => void;
  /** As shown to users, without user and password; null for a store in a file. */
  readonly place: string | null;
  /** With its password; null for a store in a file. */
  readonly url: string | null;
  /** Null if the store is not shared. */
  readonly machineId: string | null;
  /** Null if the store is not shared. */
  readonly bus: Bus | null;
  /** Time of the store [UTC ms], the same for every workstation. */
  readonly now: RawBuilder<number>;
  /** Patient number in the DICOM facts of a film (`dicom_instances.facts`), tolerating unreadable JSON. */
  readonly patientNumber: RawBuilder<string | null>;
  /** A JSON column without the escapes that the database cannot decode. */
  readableJson(column: string): RawBuilder<unknown>;
  /** Highest number ever assigned in a table, including deleted rows; 0 without any. */
  lastGiven(table: NumberedTable): Promise<number>;
  /** Removes deleted content from the store's files, as far as possible now. */
  forgetDeleted(): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  readonly schema: EngineSchema;
};

export type EngineSchema = {
  readonly migrationsDir: string;
  /** Statement that creates the table of applied migrations. */
  readonly migrationsTable: string;
  run(statements: string): Promise<void>;
};

const engines = new WeakMap<ReadableDb, Engine>();

export function setEngine(db: ReadableDb, engine: Engine): void {
  engines.set(db, engine);
}

export function engineOf(db: ReadableDb): Engine {
  const engine = engines.get(db);
  if (!engine) throw new Error("the store was not opened by openStore");
  return engine;
}

/** For operations that only SQLite has. @throws AppError CONFLICT if the store is in a database */
export function sqliteFileOf(db: ReadableDb): Database {
  const { file } = engineOf(db);
  if (file === null) throw new AppError("CONFLICT", because("storeInDatabase"));
  return file;
}

/** [bytes]. @throws AppError CONFLICT if the store is in a database */
export function bytesOfStore(db: ReadableDb): number {
  const [pages, pageBytes] = ["page_count", "page_size"].map((fact) =>
    Number(sqliteFileOf(db).pragma(fact, { simple: true })),
  ) as [number, number];
  return pages * pageBytes;
}

/** Null in PostgreSQL or in memory. */
export function dataDirOf(db: ReadableDb): string | null {
  const { file } = engineOf(db);
  return file === null || file.memory ? null : path.dirname(file.name);
}

/**
 * Runs `work` without other writers in between; within another transaction, as a savepoint. Do nothing slow in it.
 *
 * @throws any error of `work`, after its writes were rolled back
 */
export function transaction<T>(db: WritableDb, work: () => Promise<T>): Promise<T> {
  return engineOf(db).driver.transaction("write", work);
}

/** Does not wait for the disk, for writes whose loss in a power cut does no harm. */
export function unsyncedTransaction<T>(db: WritableDb, work: () => Promise<T>): Promise<T> {
  return engineOf(db).driver.transaction("unsynced", work);
}

/** Blocks no other writers, except in SQLite. For rows that affect no decision, since others may write in between. */
export function transactionBeside<T>(db: WritableDb, work: () => Promise<T>): Promise<T> {
  return engineOf(db).driver.transaction("beside", work);
}

export function snapshot<T>(db: ReadableDb, work: () => Promise<T>): Promise<T> {
  return engineOf(db).driver.transaction("read", work);
}

/** A transaction for a row that must be unique. @throws AppError CONFLICT with this reason if another one is like it */
export async function transactionOrConflict<T>(db: WritableDb, reason: Reason, work: () => Promise<T>): Promise<T> {
  try {
    return await transaction(db, work);
  } catch (cause) {
    if (isTaken(cause)) throw new AppError("CONFLICT", reason, { cause });
    throw cause;
  }
}

/** Whether a row was refused because another one has the same key. */
export function isTaken(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", uniqueViolation].includes(String(error.code));
}

/** PostgreSQL error code. @see https://www.postgresql.org/docs/15/errcodes-appendix.html */
const uniqueViolation = "23505";
