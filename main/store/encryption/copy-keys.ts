import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { isDamage } from "../record/integrity.ts";
import { isPlainFile, openDatabaseFile } from "./database-file.ts";
import { storeKeyOf } from "./key-keeper.ts";
import type { StoreKey } from "./store-key.ts";

/** Key of the encrypted copies of a data directory; null if there is none or it is missing. */
export function keyOfCopies(dataDir: string): StoreKey | null {
  try {
    return storeKeyOf(dataDir);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * Finds the key that opens a copy of a store: a given one, or the data directory's.
 *
 * @returns `key` null for a plain store; its films may be sealed nevertheless
 * @throws AppError BACKUP_LOCKED if no key opens it, which also happens if its first page is damaged
 */
export function findKeyOfCopy(
  dataDir: string,
  copy: string,
  given: readonly (StoreKey | null)[],
): { readonly key: StoreKey | null; readonly filmKey: StoreKey | null } {
  const known = [...given, keyOfCopies(dataDir)].filter((key) => key !== null);
  if (isPlainFile(copy)) return { key: null, filmKey: known[0] ?? null };
  const key = known.find((one) => isOpenedBy(copy, one));
  if (key === undefined)
    throw new AppError("BACKUP_LOCKED", because("backupOfOtherKey", { name: path.basename(copy) }));
  return { key, filmKey: key };
}

/** Whether a key opens a database file; reads its first page only. */
export function isOpenedBy(copy: string, key: StoreKey): boolean {
  const db = openDatabaseFile(copy, key, { readonly: true });
  try {
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  } finally {
    db.close();
  }
}
