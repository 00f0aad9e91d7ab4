import { statSync } from "node:fs";
import { copyFile, rename } from "node:fs/promises";
import type { ReadableDb } from "../connection.ts";
import { openDatabaseFile } from "../encryption/database-file.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { engineOf } from "../engines/engine.ts";
import { createSqliteStore } from "../engines/sqlite/sqlite-store.ts";
import { isNotedHeadLost, readNotedHead } from "../ledger/record-anchor.ts";
import { storeFile } from "../files/store-files.ts";
import { isDamage } from "./integrity.ts";
import { findLoss } from "./record-verification.ts";

/**
 * Returns a predicate whether another program has overwritten the file of an open store in place, as `cp` does. SQLite
 * does not detect that. A changed file must still be at least as long and in WAL mode, and a new connection must find
 * the noted rows.
 *
 * Does not detect another file in WAL mode of at least the same length while the pages with the noted rows are only in
 * the write-ahead log. Verification of the record reports sealed rows missing from such a file within a day. An exact
 * check is not possible: SQLite stores no number that changes with every checkpoint, and a digest would read the whole
 * file.
 */
export function createOverwriteCheck(db: ReadableDb, dataDir: string): () => Promise<boolean> {
  if (engineOf(db).file === null) return () => Promise.resolve(false);
  const file = storeFile(dataDir);
  let known = statSync(file, { throwIfNoEntry: false });
  return async () => {
    const found = statSync(file, { throwIfNoEntry: false });
    const before = known;
    if (!found || !before || (found.mtimeMs === before.mtimeMs && found.size === before.size)) return false;
    const isOther = found.size < before.size || engineOf(db).isWithoutLog() || (await isWithoutNotedRows(db, dataDir));
    known = found;
    return isOther;
  };
}

async function isWithoutNotedRows(db: ReadableDb, dataDir: string): Promise<boolean> {
  const head = isNotedHeadLost(db) ? null : readNotedHead(db);
  if (head === null) return false;
  const fresh = createSqliteStore(openDatabaseFile(storeFile(dataDir), keyOfStore(dataDir), { readonly: true }));
  try {
    return (await findLoss(fresh, head)) !== null;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  } finally {
    await fresh.destroy();
  }
}

/** SQLite applies the write-ahead log while the path leads to its file. The next start sets the log aside. */
export async function separateOverwrittenFile(dataDir: string): Promise<void> {
  const file = storeFile(dataDir);
  if (!statSync(`${file}-wal`, { throwIfNoEntry: false })?.size) return;
  await copyFile(file, `${file}.unfinished`);
  await rename(`${file}.unfinished`, file);
}
