import type { Database } from "better-sqlite3";
import { corvetApplicationId, sqliteCodeOf } from "../engines/sqlite/connect.ts";
import { isPlainFile, openDatabaseFile } from "../encryption/database-file.ts";
import type { StoreKey } from "../encryption/store-key.ts";

/** `quick`, meant for every start, skips the comparison of indexes with their tables. */
export type IntegrityDepth = "quick" | "full";

/** Checks pages, rows, foreign keys and the file's owner. @returns the first fault, null for a sound database */
export function findDamage(db: Database, depth: IntegrityDepth): string | null {
  try {
    if (db.pragma("application_id", { simple: true }) !== corvetApplicationId) return "it is not a Corvet database";
    const check = db.pragma(depth === "quick" ? "quick_check(1)" : "integrity_check(1)", { simple: true });
    if (check !== "ok") return String(check);
    const orphans = db.pragma("foreign_key_check");
    return Array.isArray(orphans) && orphans.length > 0
      ? `foreign key check failed: ${JSON.stringify(orphans[0])}`
      : null;
  } catch (error) {
    if (isDamage(error)) return String(error instanceof Error ? error.message : error);
    throw error;
  }
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code !== null && (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB");
}

/** For a file that no program has open, such as a backup. @returns the first fault, null for a sound file */
export function findDamageInFile(file: string, key: StoreKey | null): string | null {
  try {
    const isPlain = isPlainFile(file);
    if (!isPlain && key === null) return "it is not a database, or its encryption key is missing";
    const db = openDatabaseFile(file, isPlain ? null : key, { readonly: true, fileMustExist: true });
    try {
      return findDamage(db, "full");
    } finally {
      db.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
