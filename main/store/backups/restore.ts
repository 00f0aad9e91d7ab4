import { renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { convertCopies } from "./backup-thread-client.ts";
import { withCheckedCopy, type CheckedCopy } from "./check-backup.ts";
import { openDatabaseFile } from "../encryption/database-file.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { openBytes, sealBytes } from "../encryption/sealed-file.ts";
import { isNoteLost, restoreLostNote } from "../encryption/lost-note.ts";
import { finishConversion } from "../encryption/convert-store.ts";
import { sqliteCodeOf } from "../engines/sqlite/connect.ts";
import { separateForeignLog } from "../engines/sqlite/foreign-log.ts";
import { isDamage } from "../record/integrity.ts";
import {
  filmsDir,
  flush,
  scheduledRestoreFile,
  setAsideAnchor,
  setAsideStore,
  storeFile,
} from "../files/store-files.ts";
import { fileExists } from "../files/private-file.ts";

/**
 * Replaces the store by a backup. Checking it takes minutes, so the store must be closed before and after.
 *
 * @param file  @see scheduleRestore
 * @returns     path of the store set aside, null when there was none
 * @throws AppError STORE_BUSY while any program has the store open, and as `scheduleRestore`
 */
export async function restoreBackup(
  dataDir: string,
  file: string,
  at: Date,
  passphrase: string | null = null,
): Promise<string | null> {
  separateForeignLog(dataDir, at, { setAside: true });
  assertNotOpen(dataDir);
  await scheduleRestore(dataDir, file, passphrase);
  try {
    assertNotOpen(dataDir);
  } catch (error) {
    dropScheduledRestore(dataDir);
    throw error;
  }
  return completeScheduledRestore(dataDir, at);
}

/**
 * Schedules a backup to replace the store at the next start, in the form of the present store (plain or encrypted).
 * Films that are missing here are restored immediately.
 *
 * @param file        a backup of the data directory or an archive
 * @param passphrase  of an encrypted archive, or the recovery key of a store that is encrypted with another key
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED
 */
export async function scheduleRestore(dataDir: string, file: string, passphrase: string | null = null): Promise<void> {
  await withCheckedCopy(dataDir, file, passphrase, async ({ folder, films, key, filmKey }) => {
    await restoreFilms(dataDir, { folder, films, filmKey });
    const store = storeFile(folder);
    const [damage] = await convertCopies([store], key, keyOfStore(dataDir));
    if (damage !== null) throw new AppError("BACKUP_DAMAGED", `The backup is damaged: ${String(damage)}.`);
    await chmod(store, 0o600);
    flush(store);
    await rename(store, scheduledRestoreFile(dataDir));
  });
}

async function restoreFilms(
  dataDir: string,
  { folder, films, filmKey }: Pick<CheckedCopy, "folder" | "films" | "filmKey">,
): Promise<void> {
  if (films.length > 0) await mkdir(filmsDir(dataDir), { recursive: true, mode: 0o700 });
  for (const film of films) {
    const [file, place] = [path.join(folder, "films", film), path.join(filmsDir(dataDir), film)];
    if (fileExists(place)) continue;
    // Match the encryption of the films here; the archive's may differ.
    const bytes = openBytes(await readFile(file), film, () => filmKey);
    await writeFile(file, sealBytes(bytes, film, keyOfStore(dataDir)), { mode: 0o600 });
    await rename(file, place);
  }
}

/** Records in the scheduled copy when it was made [UTC ms]. @see plannedRestoreMs */
export function dateScheduledRestore(dataDir: string, madeMs: number): void {
  utimesSync(scheduledRestoreFile(dataDir), madeMs / 1000, madeMs / 1000);
}

/** Time at which the scheduled copy was made [UTC ms]; null if none is scheduled. */
export function plannedRestoreMs(dataDir: string): number | null {
  return statSync(scheduledRestoreFile(dataDir), { throwIfNoEntry: false })?.mtime.getTime() ?? null;
}

export function dropScheduledRestore(dataDir: string): void {
  rmSync(scheduledRestoreFile(dataDir), { force: true });
}

/** Performs the scheduled restore, before the store is opened. @returns path of the store set aside, or null */
export function completeScheduledRestore(dataDir: string, at: Date): string | null {
  const scheduled = scheduledRestoreFile(dataDir);
  if (!fileExists(scheduled)) return null;
  const aside = setAsideStore(dataDir, "replaced", at);
  setAsideAnchor(dataDir, "replaced", at);
  renameSync(scheduled, storeFile(dataDir));
  return aside;
}

/**
 * In exclusive mode SQLite refuses a file that any other connection has open. A damaged file counts as not open.
 *
 * @throws AppError STORE_BUSY
 */
function assertNotOpen(dataDir: string): void {
  finishConversion(dataDir);
  const file = storeFile(dataDir);
  if (!fileExists(file)) return;
  const db = openDatabaseFile(file, keyOfStore(dataDir), { timeout: 0 });
  try {
    db.pragma("locking_mode = EXCLUSIVE");
    db.exec("BEGIN EXCLUSIVE; ROLLBACK");
  } catch (error) {
    const isInUse = /^SQLITE_(BUSY|LOCKED)/.test(sqliteCodeOf(error) ?? "");
    if (isInUse)
      throw new AppError("STORE_BUSY", "Corvet is running with this store. Stop it, then restore.", { cause: error });
    if (!isDamage(error)) throw error;
  } finally {
    db.close();
  }
  // The note determines the form of the restored copy and the key of encrypted backups.
  if (isNoteLost(dataDir)) restoreLostNote(dataDir);
}
