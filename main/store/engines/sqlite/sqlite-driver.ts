import type { Database, Statement } from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { createTurns } from "../turns.ts";

/** Statements that stay compiled: more than the store has questions. Compiling took longer than running. */
const statementsKept = 500;

/**
 * Kysely's driver for one SQLite connection. A transaction has it alone: whoever asks meanwhile waits.
 * Kysely's own has no turns and compiles each statement anew.
 */
export function createSqliteDriver(file: Database): Driver {
  const connection = connectionOf(file);
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
    beginTransaction: () => exec(file, "BEGIN IMMEDIATE"),
    commitTransaction: () => exec(file, "COMMIT"),
    // SQLite has taken a transaction back by itself where a statement met a full disk.
    rollbackTransaction: () => (file.inTransaction ? exec(file, "ROLLBACK") : Promise.resolve()),
    async destroy() {
      const end = await takeTurn();
      file.close();
      // Whoever comes later hears that it is closed, instead of waiting for ever.
      end();
    },
  };
}

function exec(file: Database, sql: string): Promise<void> {
  file.exec(sql);
  return Promise.resolve();
}

function connectionOf(file: Database): DatabaseConnection {
  const statements = new Map<string, Statement>();
  const statementOf = (sql: string) => {
    const statement = statements.get(sql) ?? file.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > statementsKept && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
  return {
    executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
      new Promise<QueryResult<Row>>((resolve) => {
        const statement = statementOf(sql);
        if (statement.reader) return resolve({ rows: statement.all(parameters) as Row[] });
        const { changes, lastInsertRowid } = statement.run(parameters);
        resolve({ rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) });
      }),
    streamQuery() {
      throw new Error("long answers are asked for in pages");
    },
  };
}
