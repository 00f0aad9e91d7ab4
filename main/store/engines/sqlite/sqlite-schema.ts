import type { Database } from "better-sqlite3";
import path from "node:path";
import type { EngineSchema } from "../engine.ts";

export const sqliteMigrationsDir = path.join(import.meta.dirname, "..", "..", "migrations");

export function sqliteSchema(file: Database): EngineSchema {
  return {
    migrationsDir: sqliteMigrationsDir,
    migrationsTable:
      "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT",
    async run(statements) {
      file.exec(statements);
    },
  };
}
