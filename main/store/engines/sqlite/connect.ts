import type { Database } from "better-sqlite3";
import { searchedText } from "../../../../core/searched-text.ts";
import { openDatabaseFile } from "../../encryption/database-file.ts";
import type { StoreKey } from "../../encryption/store-key.ts";
import { searchedFunction } from "../../search/like-pattern.ts";

/** Marks a database file as Corvet's: "CORV". */
export const corvetApplicationId = 0x434f5256;

/**
 * Opens a database file with the pragmas that the store relies on, without writing to it: delete triggers also run on
 * REPLACE, and deleted content is overwritten with zeros.
 *
 * @param busyMs  time to wait for another process's transaction when opening or locking the file
 * @throws SqliteError when the file is not a database, is locked or cannot be opened
 */
export function connect(file: string, key: StoreKey | null, busyMs = 5000): Database {
  const db = openDatabaseFile(file, key, { fileMustExist: true, timeout: busyMs });
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

/** Code of an error of either driver (`SQLITE_FULL`, …). */
export function sqliteCodeOf(error: unknown): string | null {
  const isOfSqlite = error instanceof Error && error.constructor.name === "SqliteError" && "code" in error;
  return isOfSqlite ? String(error.code) : null;
}
