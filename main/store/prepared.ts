import type { Statement } from "better-sqlite3";
import type { ReadableDb } from "./connection.ts";

/** Statements by connection and text. A connection that is closed takes its own along. */
const kept = new WeakMap<ReadableDb, Map<string, Statement>>();

/**
 * A statement that is compiled once for each connection, for what every call asks: compiling it took longer than
 * running it. Never for one whose text is made of what somebody typed; nor to iterate over or to answer in another form
 * (`pluck`, `raw`): whoever asks the same text elsewhere would get that form too.
 *
 * @param sql  the same text every time
 * @throws SqliteError when it cannot be compiled
 */
export function prepared(db: ReadableDb, sql: string): Statement {
  const statements = kept.get(db) ?? new Map<string, Statement>();
  kept.set(db, statements);
  const statement = statements.get(sql) ?? db.prepare(sql);
  statements.set(sql, statement);
  return statement;
}
