import type { Database } from "better-sqlite3";
import { searchedText } from "../../../../core/searched-text.ts";
import { openDatabaseFile } from "../../encryption/database-file.ts";
import type { StoreKey } from "../../encryption/store-key.ts";
import { searchedFunction } from "../../search/searched-function.ts";

/** Time that a program opening a file, or using it exclusively, waits for another process's transaction [ms]. */
const busyTimeoutMs = 5000;

/** Marks a database file as Corvet's: "CORV". */
export const corvetApplicationId = 0x434f5256;

/**
 * Opens a database file with the pragmas of a connection that the store relies on: each commit on the disk before it is
 * answered, foreign keys, triggers that also see REPLACE, and zeroes where something was deleted. Writes nothing to the
 * file.
 *
 * @param key  null for a file that is not encrypted
 * @throws SqliteError when the file is not a database, is locked or cannot be opened
 */
export function connect(file: string, key: StoreKey | null): Database {
  const db = openDatabaseFile(file, key, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    db.function(searchedFunction, { deterministic: true }, (text) =>
      text === null ? null : searchedText(String(text)),
    );
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    db.pragma("recursive_triggers = ON");
    db.pragma("trusted_schema = OFF");
    db.pragma("secure_delete = ON");
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Code of an SQLite failure (`SQLITE_FULL`, …) of either driver, null for any other error. */
export function sqliteCodeOf(error: unknown): string | null {
  const isOfSqlite = error instanceof Error && error.constructor.name === "SqliteError" && "code" in error;
  return isOfSqlite ? String(error.code) : null;
}
