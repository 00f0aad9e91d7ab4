import type { Database } from "better-sqlite3";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { AppError } from "../../core/app-error.ts";
import { otherDataHint } from "../program.ts";
import { recordAudit } from "./audit/audit-events.ts";
import type { WritableDb } from "./connection.ts";
import { openDatabaseFile } from "./encryption/database-file.ts";
import { holdNote } from "./encryption/encryption-note.ts";
import { keyOfStore } from "./encryption/key-keeper.ts";
import { assertNotEncrypted, isNoteLost, restoreLostNote } from "./encryption/lost-note.ts";
import type { StoreKey } from "./encryption/store-key.ts";
import { finishConversion, discardConversion, convertStore } from "./encryption/convert-store.ts";
import { connect, corvetApplicationId } from "./engines/sqlite/connect.ts";
import { recordLogOwner, separateForeignLog } from "./engines/sqlite/foreign-log.ts";
import { createSqliteStore } from "./engines/sqlite/sqlite-store.ts";
import { findDamage, isDamage } from "./record/integrity.ts";
import { applyMigrations } from "./opening/migrations.ts";
import { openingFault } from "./opening/opening-fault.ts";
import { assertNothingToRecover, damagedError } from "./backups/recovery.ts";
import { completeScheduledRestore } from "./backups/restore.ts";
import { resumeRecordAnchor } from "./record/record-verification.ts";
import { scheduledRestoreFile, setAsideAnchor, setAsideStore, storeFile } from "./files/store-files.ts";
import { fileExists, renameIfFree } from "./files/private-file.ts";

export type { ReadableDb, WritableDb } from "./connection.ts";

export type OpenOptions = {
  /** Default true. */
  readonly create?: boolean;
  /**
   * Set a damaged store aside, and the present one for a scheduled restore. Only for the program that owns the data
   * directory; commands pass false. Default true.
   */
  readonly setAside?: boolean;
  /** Time that opening or a statement waits while another program writes to the file [ms]. Default 5000. */
  readonly busyMs?: number;
};

/**
 * Opens the store of a data directory, checks its integrity and migrates its schema. A damaged store is set aside and
 * refused until a backup is restored or an empty store is started (`startEmptyStore`).
 *
 * @throws AppError STORE_DAMAGED (the message names the next step), STORE_BUSY, STORE_TOO_NEW, STORE_NOT_FOUND,
 *   STORE_UNAVAILABLE, STORE_REPLACED if the write-ahead log belongs to another file, STORE_LOCKED when it is or may be
 *   encrypted and its key is missing
 */
export async function openStore(dataDir: string, options: OpenOptions = {}): Promise<WritableDb> {
  const { create = true, setAside = true } = options;
  try {
    separateForeignLog(dataDir, new Date(), { setAside });
    finishConversion(dataDir);
    const isRestored = setAside && fileExists(scheduledRestoreFile(dataDir));
    if (isRestored) completeScheduledRestore(dataDir, new Date());
    if (setAside) switchIfPossible(dataDir);
    if (!fileExists(storeFile(dataDir))) {
      assertNothingToRecover(dataDir);
      if (!create) throw new AppError("STORE_NOT_FOUND", `There is no store in ${dataDir}; ${otherDataHint()}.`);
      await createStoreFile(dataDir);
    }
    const db = await openSoundStore(dataDir, options);
    if (isRestored) await recordAudit(db, { action: "restore.done" });
    return db;
  } catch (error) {
    throw openingFault(error, dataDir);
  }
}

/** The user's choice when no backup will do. @throws AppError STORE_BUSY if a store exists, STORE_UNAVAILABLE */
export async function startEmptyStore(dataDir: string): Promise<void> {
  if (fileExists(storeFile(dataDir))) throw new AppError("STORE_BUSY", `There is a store in ${dataDir} already.`);
  const at = new Date();
  try {
    setAsideStore(dataDir, "replaced", at);
    setAsideAnchor(dataDir, "replaced", at);
    await createStoreFile(dataDir);
  } catch (error) {
    throw openingFault(error, dataDir);
  }
}

/** A conversion that fails (a full disk, a locked file) leaves the store as it was, so opening continues. */
function switchIfPossible(dataDir: string): void {
  try {
    convertStore(dataDir);
  } catch {
    // The program reports the pending conversion. @see startConversion
    discardConversion(dataDir);
  }
}

async function openSoundStore(dataDir: string, options: OpenOptions): Promise<WritableDb> {
  const { setAside = true, busyMs } = options;
  const opened = connectIfSound(storeFile(dataDir), keyOfStore(dataDir), busyMs);
  if (typeof opened === "string") {
    if (isNoteLost(dataDir)) {
      if (restoreLostNote(dataDir)) return await openSoundStore(dataDir, options);
      assertNotEncrypted(dataDir);
    }
    const aside = setAside ? setAsideStore(dataDir, "damaged", new Date()) : null;
    throw damagedError(dataDir, opened, aside);
  }
  holdNote(dataDir, () => opened.open);
  const work = async (db: WritableDb) => {
    await applyMigrations(db);
    recordLogOwner(dataDir);
    await resumeRecordAnchor(db, dataDir);
    return db;
  };
  return await orClose(opened, work, busyMs);
}

/** @returns the open file, or a description of its damage */
function connectIfSound(store: string, key: StoreKey | null, busyMs?: number): Database | string {
  let file: Database | null = null;
  try {
    file = connect(store, key, busyMs);
    const damage = findDamage(file, "quick");
    // Restored backups are not in WAL mode. Set it after the check: it writes to the file, which may not be Corvet's.
    if (damage === null) file.pragma("journal_mode = WAL");
    else file.close();
    return damage ?? file;
  } catch (error) {
    file?.close();
    if (isDamage(error)) return error instanceof Error ? error.message : String(error);
    throw error;
  }
}

/** Closes the file on an error, since the caller has no handle to it. */
async function orClose<T>(file: Database, work: (db: WritableDb) => Promise<T>, busyMs?: number): Promise<T> {
  try {
    return await work(createSqliteStore(file, null, busyMs));
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The file gets its name only when it is complete. Of two processes that start together the first wins. */
async function createStoreFile(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = storeFile(dataDir);
  const unfinished = `${file}.new-${randomUUID()}`;
  try {
    await makeStoreFile(unfinished, keyOfStore(dataDir));
    renameIfFree(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Creates an empty store in a file of any name, or completes an interrupted creation. */
export async function makeStoreFile(file: string, key: StoreKey | null): Promise<void> {
  openDatabaseFile(file, key).close();
  chmodSync(file, 0o600);
  const made = connect(file, key);
  made.pragma("journal_mode = WAL");
  made.pragma(`application_id = ${corvetApplicationId}`);
  await orClose(made, applyMigrations);
  made.close();
}
