import type { Database } from "better-sqlite3";
import path from "node:path";
import { comparedIdentifier } from "../../../../core/identifiers.ts";
import type { EngineSchema } from "../engine.ts";

/** Folder of the migrations of a store in a file. */
export const sqliteMigrationsDir = path.join(import.meta.dirname, "..", "..", "migrations");

/** How the schema of a store in a file is kept; `user_version` is the highest number that has run. */
export function sqliteSchema(file: Database): EngineSchema {
  return {
    migrationsDir: sqliteMigrationsDir,
    async prepare() {
      lendFunctions(file);
      file.exec(
        "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT",
      );
    },
    async run(statements) {
      file.exec(statements);
    },
    async noteVersion(number) {
      file.pragma(`user_version = ${number}`);
    },
  };
}

/** Functions that migrations may use beside those of SQLite. */
function lendFunctions(file: Database): void {
  file.function("nfc", { deterministic: true }, (text: unknown) =>
    typeof text === "string" ? comparedIdentifier(text) : text,
  );
}
