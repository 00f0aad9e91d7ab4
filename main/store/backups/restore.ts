import { renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { chmod, rename } from "node:fs/promises";
import { AppError } from "../../../core/app-error.ts";
import { convertCopies } from "./backup-thread-client.ts";
import { listBackups } from "./backups.ts";
import { withCheckedCopy } from "./check-backup.ts";
import { openDatabaseFile } from "../encryption/database-file.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { isNoteLost, restoreLostNote } from "../encryption/lost-note.ts";
import { finishConversion } from "../encryption/convert-store.ts";
import { sqliteCodeOf } from "../engines/sqlite/connect.ts";
import { separateForeignLog } from "../engines/sqlite/foreign-log.ts";
import { isDamage } from "../record/integrity.ts";
import {
  backupsDir,
  flush,
  scheduledRestoreFile,
  setAsideAnchor,
  setAsideStore,
  storeFile,
} from "../files/store-files.ts";
import { fileExists } from "../files/private-file.ts";

/**
 * Replaces the store by a backup; the replaced store is set aside as `corvet.db.replaced-<time>`. The store must not be
 * open.
 *
 * @param name      name of a backup from `listBackups`
 * @param recovery  recovery key, of a store that is encrypted with another key
 * @returns         path of the store set aside, null when there was none
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED, STORE_BUSY while any program has the store open
 */
export async function restoreBackup(
  dataDir: string,
  name: string,
  at: Date,
  recovery: string | null = null,
): Promise<string | null> {
  return restoreScheduled(dataDir, at, () => scheduleRestore(dataDir, name, recovery));
}

/**
 * Schedules a copy and replaces the store by it. Checking the copy takes minutes, so the store must be closed before
 * and after.
 *
 * @param schedule  schedules the copy that replaces the store
 * @returns         path of the store set aside, null when there was none
 * @throws AppError STORE_BUSY, with nothing left scheduled, and any error of `schedule`
 */
export async function restoreScheduled(
  dataDir: string,
  at: Date,
  schedule: () => Promise<void>,
): Promise<string | null> {
  separateForeignLog(dataDir, at, { setAside: true });
  assertNotOpen(dataDir);
  await schedule();
  try {
    assertNotOpen(dataDir);
  } catch (error) {
    dropScheduledRestore(dataDir);
    throw error;
  }
  return completeScheduledRestore(dataDir, at);
}

/**
 * Schedules a backup to replace the store at the next start; the running program keeps the present store until then.
 *
 * @param name      name of a backup from `listBackups`
 * @param recovery  recovery key, of a store that is encrypted with another key
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED
 */
export async function scheduleRestore(dataDir: string, name: string, recovery: string | null = null): Promise<void> {
  const backup = listBackups(dataDir).find((candidate) => candidate.name === name);
  if (!backup) throw new AppError("BACKUP_NOT_FOUND", `There is no backup ${name} in ${backupsDir(dataDir)}.`);
  await withCheckedCopy(dataDir, backup.path, recovery, async ({ folder, key }) => {
    await chmod(storeFile(folder), 0o600);
    await scheduleFile(dataDir, storeFile(folder), key);
  });
}

/**
 * Schedules a sound copy of a store: converts it to the form of the present store (plain or encrypted) and moves it.
 *
 * @param key  key of an encrypted copy; null for a plain one
 * @throws AppError BACKUP_DAMAGED
 */
export async function scheduleFile(dataDir: string, file: string, key: StoreKey | null): Promise<void> {
  const [damage] = await convertCopies([file], key, keyOfStore(dataDir));
  if (damage !== null) throw new AppError("BACKUP_DAMAGED", `The backup is damaged: ${String(damage)}.`);
  flush(file);
  await rename(file, scheduledRestoreFile(dataDir));
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

/**
 * Performs the scheduled restore, before the store is opened; does nothing without one.
 *
 * @returns path of the store set aside, null when there was none or nothing was scheduled
 */
export function completeScheduledRestore(dataDir: string, at: Date): string | null {
  const scheduled = scheduledRestoreFile(dataDir);
  if (!fileExists(scheduled)) return null;
  const aside = setAsideStore(dataDir, "replaced", at);
  setAsideAnchor(dataDir, "replaced", at);
  renameSync(scheduled, storeFile(dataDir));
  return aside;
}

/**
 * Asserts that no program has the store open: in exclusive mode SQLite refuses a file that any other connection has
 * open. A damaged file counts as not open.
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
