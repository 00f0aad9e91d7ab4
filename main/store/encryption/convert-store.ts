import type { Database } from "better-sqlite3";
import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { findDamage, isDamage } from "../record/integrity.ts";
import { flushFolder, storeFile } from "../files/store-files.ts";
import { convertCopy } from "./convert-file.ts";
import { openDatabaseFile } from "./database-file.ts";
import { readEncryptionNote, writeEncryptionNote, type EncryptionNote } from "./encryption-note.ts";
import { storeKeyOf } from "./key-keeper.ts";
import { repairNote } from "./lost-note.ts";
import { fileExists } from "../files/private-file.ts";

/** Completed step of a conversion; a kill after any of them loses nothing. */
export type ConversionStep = "copied" | "noted" | "replaced" | "stored" | "film" | "copies" | "done";

/**
 * Converts a store that is not open into the form that the user chose. The converted copy is complete and checked
 * before the note marks it as valid and it replaces the store. A damaged store stays as it is; `openStore` reports it.
 *
 * @throws AppError STORE_LOCKED; SqliteError SQLITE_BUSY while another program has it open, or when the disk is full
 */
export function convertStore(dataDir: string, onStep: (step: ConversionStep) => void = () => undefined): void {
  finishConversion(dataDir, onStep);
  const note = readEncryptionNote(dataDir);
  rmSync(convertedFile(dataDir), { force: true });
  rmSync(`${convertedFile(dataDir)}.unfinished`, { force: true });
  if (note === null || note.store === note.wanted) return;
  if (fileExists(storeFile(dataDir))) return replaceStore(dataDir, note, onStep);
  writeEncryptionNote(dataDir, { ...note, store: note.wanted, isDone: false });
}

/**
 * Replaces the store by its converted copy if the note marks the copy as valid. Called before every opening.
 *
 * @throws AppError STORE_LOCKED when the note cannot be read and no available key opens the store
 */
export function finishConversion(dataDir: string, onStep: (step: ConversionStep) => void = () => undefined): void {
  repairNote(dataDir);
  const note = readEncryptionNote(dataDir);
  if (!note?.isReplacing) return;
  if (fileExists(convertedFile(dataDir))) renameSync(convertedFile(dataDir), storeFile(dataDir));
  flushFolder(dataDir);
  onStep("replaced");
  writeEncryptionNote(dataDir, { ...note, store: note.wanted, isReplacing: false, isDone: false });
  onStep("stored");
}

/**
 * Discards the converted copy after a failed conversion, so that it does not overwrite later changes to the store.
 *
 * @throws SystemError when the note cannot be written; the store must not be opened then
 */
export function discardConversion(dataDir: string): void {
  const note = readEncryptionNote(dataDir);
  if (!note?.isReplacing) return;
  if (!fileExists(convertedFile(dataDir))) return finishConversion(dataDir);
  writeEncryptionNote(dataDir, { ...note, isReplacing: false });
  rmSync(convertedFile(dataDir), { force: true });
}

function replaceStore(dataDir: string, note: EncryptionNote, onStep: (step: ConversionStep) => void): void {
  const key = storeKeyOf(dataDir);
  const [from, to] = note.store === "encrypted" ? [key, null] : [null, key];
  const unfinished = `${convertedFile(dataDir)}.unfinished`;
  const db = openDatabaseFile(storeFile(dataDir), from, { fileMustExist: true });
  try {
    // Hold the lock until the copy has replaced the store: a command's writes would otherwise be lost with the old
    // file.
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = DELETE");
    db.exec("BEGIN EXCLUSIVE; COMMIT");
    if (findDamage(db, "quick") !== null) return;
    db.prepare("VACUUM INTO ?").run(unfinished);
    convertCopy(unfinished, from, to);
    assertSameRows(db, unfinished, to);
    renameSync(unfinished, convertedFile(dataDir));
    flushFolder(dataDir);
    onStep("copied");
    writeEncryptionNote(dataDir, { ...note, isReplacing: true });
    onStep("noted");
    // Windows cannot replace an open file.
    if (process.platform === "win32") db.close();
    finishConversion(dataDir, onStep);
  } catch (error) {
    if (!isDamage(error)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
    db.close();
  }
}

function assertSameRows(db: Database, copy: string, key: string | null): void {
  const other = openDatabaseFile(copy, key, { readonly: true });
  try {
    if (countRows(db) !== countRows(other))
      throw new Error(`the converted copy ${path.basename(copy)} does not have the store's rows`);
  } finally {
    other.close();
  }
}

function countRows(db: Database): string {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
  return JSON.stringify(
    tables.map((name) => [
      name,
      db
        .prepare(`SELECT count(*) FROM "${String(name)}"`)
        .pluck()
        .get(),
    ]),
  );
}

function convertedFile(dataDir: string): string {
  return `${storeFile(dataDir)}.converted`;
}
