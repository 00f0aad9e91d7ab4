import { setTimeout as pause } from "node:timers/promises";
import type { Database, Statement } from "better-sqlite3";
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";
import { AppError } from "../../../../core/app-error.ts";
import { createTurns } from "../turns.ts";
import { sqliteCodeOf } from "./connect.ts";

/** More than the store has queries. Compiling takes longer than running. */
const statementsKept = 500;

/** Wait after a statement has timed out: statements must not pile up while a program holds the file [ms]. */
const heldBusyMs = 200;
const attemptEveryMs = 20;

/**
 * Transactions use the connection exclusively. Waiting for another program that writes to the file does not block the
 * thread, as SQLite's busy timeout would. Kysely's own driver has no turns and compiles every statement again.
 *
 * @param busyMs  time that a statement waits while another program writes to the file
 * @throws AppError STORE_BUSY from a statement while another program locks the file, STORE_REPLACED from a write after
 *   the file was deleted, moved or replaced
 */
export function createSqliteDriver(file: Database, isInPlace: () => boolean, busyMs = 5000): Driver {
  file.pragma("busy_timeout = 0");
  const connection = connectionOf(file, isInPlace, busyMs);
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
    // SQLite has already rolled the transaction back if the disk was full.
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

function connectionOf(file: Database, isInPlace: () => boolean, busyMs: number): DatabaseConnection {
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
    const untilMs = performance.now() + (isHeld ? Math.min(heldBusyMs, busyMs) : busyMs);
    for (;;) {
      try {
        const result = run();
        // Reading does not show that the file is free: it also succeeds while another program writes.
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
      throw new Error("streaming is not supported; read in pages");
    },
  };
}
