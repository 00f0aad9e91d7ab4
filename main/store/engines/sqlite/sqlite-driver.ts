import { setTimeout as pause } from "node:timers/promises";
import type { Database, Statement } from "better-sqlite3";
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";
import { AppError } from "../../../../core/app-error.ts";
import { createTurns } from "../turns.ts";
import { sqliteCodeOf } from "./connect.ts";

/** Number of compiled statements to keep: more than the store has queries. Compiling took longer than running. */
const statementsKept = 500;

/**
 * Time that a statement waits for another program that writes to the file, and the shorter time after one has waited in
 * vain: a program may hold the file for hours, and other statements must not queue behind it [ms].
 */
const patience = { atFirst: 5000, whileHeld: 200 };
/** Between two attempts [ms]. */
const attemptEveryMs = 20;

/**
 * Kysely's driver for one SQLite connection. A transaction has it alone; other queries wait. While another program
 * writes to the file, this program keeps running; SQLite's busy timeout would block everything. Kysely's driver has no
 * turns and compiles each statement again.
 *
 * @throws AppError STORE_BUSY of a statement that another program kept from the file, STORE_REPLACED of a write after
 *   the file was deleted, moved or replaced
 */
export function createSqliteDriver(file: Database, isInPlace: () => boolean): Driver {
  file.pragma("busy_timeout = 0");
  const connection = connectionOf(file, isInPlace);
  const takeTurn = createTurns();
  let endTurn: (() => void) | null = null;
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      endTurn = await takeTurn();
      return connection;
    },
    releaseConnection() {
      endTurn?.();
      return Promise.resolve();
    },
    async beginTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw("BEGIN IMMEDIATE"));
    },
    commitTransaction: () => exec(file, "COMMIT"),
    // SQLite has taken a transaction back by itself where a statement met a full disk.
    rollbackTransaction: () => (file.inTransaction ? exec(file, "ROLLBACK") : Promise.resolve()),
    async destroy() {
      const end = await takeTurn();
      file.close();
      // Later queries fail because the connection is closed, instead of waiting forever.
      end();
    },
  };
}

function exec(file: Database, sql: string): Promise<void> {
  file.exec(sql);
  return Promise.resolve();
}

function connectionOf(file: Database, isInPlace: () => boolean): DatabaseConnection {
  const statements = new Map<string, Statement>();
  const statementOf = (sql: string) => {
    const statement = statements.get(sql) ?? file.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > statementsKept && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
  let isHeld = false;
  const whenFree = async <T>({ readonly }: Statement, run: () => T): Promise<T> => {
    const untilMs = performance.now() + (isHeld ? patience.whileHeld : patience.atFirst);
    for (;;) {
      try {
        const result = run();
        // A reader is let in while another program writes.
        if (!readonly) isHeld = false;
        return result;
      } catch (error) {
        if (!sqliteCodeOf(error)?.startsWith("SQLITE_BUSY")) throw error;
        if (performance.now() >= untilMs) {
          isHeld = true;
          throw new AppError("STORE_BUSY", undefined, { cause: error });
        }
        await pause(attemptEveryMs);
      }
    }
  };
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const statement = statementOf(sql);
      if (!statement.readonly && !file.inTransaction && !isInPlace()) throw new AppError("STORE_REPLACED");
      return await whenFree(statement, () => {
        if (statement.reader) return { rows: statement.all(parameters) as Row[] };
        const { changes, lastInsertRowid } = statement.run(parameters);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      });
    },
    streamQuery() {
      throw new Error("long answers are asked for in pages");
    },
  };
}
