import type { Database } from "better-sqlite3";
import { Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Driver } from "kysely";
import type { WritableDb } from "../../connection.ts";
import type { Tables } from "../../tables.ts";
import { columnNames } from "../column-names.ts";
import { setEngine } from "../engine.ts";
import { createStoreDriver } from "../store-driver.ts";
import { createSqliteDriver } from "./sqlite-driver.ts";
import { sqliteSchema } from "./sqlite-schema.ts";
import { closeSync, openSync, statSync } from "node:fs";
import { hasRollbackHeader } from "./foreign-log.ts";

/**
 * Creates the store on an open connection, which `destroy` closes.
 *
 * @param machineId  the workstation whose settings are read, in a copy of a store that workstations share
 * @param busyMs     time that a statement waits while another program writes to the file
 */
export function createSqliteStore(file: Database, machineId: string | null = null, busyMs?: number): WritableDb {
  let isOverwritten = false;
  const hasItsFile = fileInPlace(file);
  const isInPlace = () => !isOverwritten && hasItsFile();
  const [inner, header] = [createSqliteDriver(file, isInPlace, busyMs), fileHeader(file)];
  const destroy = async () => {
    await inner.destroy();
    header.close();
  };
  const driver = createStoreDriver(
    { ...inner, destroy },
    {
      write: { begin: ["BEGIN IMMEDIATE"] },
      unsynced: { begin: ["PRAGMA synchronous = NORMAL", "BEGIN IMMEDIATE"], after: ["PRAGMA synchronous = FULL"] },
      beside: { begin: ["BEGIN IMMEDIATE"] },
      read: { begin: ["BEGIN"] },
    },
  );
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new AdapterWithoutTurns(),
      createIntrospector: (queries) => new SqliteIntrospector(queries),
    },
    plugins: [columnNames],
  }) as WritableDb;
  setEngine(db, {
    driver,
    file,
    isInPlace,
    isWithoutLog: header.isWithoutLog,
    isOverwritten: () => isOverwritten,
    giveUp: () => (isOverwritten = true),
    place: null,
    url: null,
    machineId,
    bus: null,
    now: sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    patientNumber: sql<string | null>`facts -> 'patient' ->> 'id'`,
    readableJson: (column) => sql.ref(column),
    // AUTOINCREMENT keeps it in `sqlite_sequence`.
    lastGiven: (table) =>
      Promise.resolve(Number(file.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck().get(table) ?? 0)),
    forgetDeleted: () => driver.afterCommit(() => withTurn(driver, () => emptyWriteAheadLog(file))),
    hasTable: (name) => Promise.resolve(tableNamed(file, name) !== undefined),
    schema: sqliteSchema(file),
  });
  return db;
}

/** SQLite refuses while a transaction of another call is open on the connection. */
async function withTurn(driver: Driver, act: () => void): Promise<void> {
  const connection = await driver.acquireConnection();
  try {
    act();
  } finally {
    await driver.releaseConnection(connection);
  }
}

function tableNamed(file: Database, name: string): unknown {
  return file.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name);
}

/** Disables Kysely's queue, in which an outside query would come before those of the transaction that it waits for. */
class AdapterWithoutTurns extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** The log contains deleted content. While another process reads, it stays and is overwritten later. */
function emptyWriteAheadLog(file: Database): void {
  file.pragma("wal_checkpoint(TRUNCATE)");
}

/** Whether the path of an open database still leads to its file; otherwise its writes are lost when it closes. */
function fileInPlace({ name, memory }: Database): () => boolean {
  if (memory) return () => true;
  const identity = identityOf(name);
  return () => identityOf(name) === identity;
}

function identityOf(name: string): string {
  const found = statSync(name, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}/${found.ino}` : "missing";
}

/**
 * Call `close` after the connection is closed: closing a descriptor of the file releases SQLite's locks on it, and then
 * any program that opens and closes the store deletes its write-ahead log.
 *
 * @see https://www.sqlite.org/howtocorrupt.html, 2.2
 */
function fileHeader({ name }: Database): { isWithoutLog: () => boolean; close: () => void } {
  let handle: number | null = null;
  return {
    isWithoutLog() {
      handle ??= openSync(name, "r");
      return hasRollbackHeader(handle);
    },
    close() {
      if (handle !== null) closeSync(handle);
      handle = null;
    },
  };
}
