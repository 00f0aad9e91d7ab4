import { existsSync } from "node:fs";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { commandLine } from "../../program.ts";
import { storeFile } from "../store-files.ts";
import { isOpenedBy } from "./copy-keys.ts";
import { isPlainFile } from "./database-file.ts";
import { encryptionNoteFile, readEncryptionNote, writeEncryptionNote } from "./encryption-note.ts";
import { keptKeyOf, placeOfKey } from "./key-keeper.ts";
import { mayBeEncrypted } from "./plain-pages.ts";
import { fingerprintOfKey, type StoreKey } from "./store-key.ts";

/** Whether nothing says which form the store has: the note is gone (or never was), or cannot be read. */
export function isNoteLost(dataDir: string): boolean {
  try {
    return readEncryptionNote(dataDir) === null;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

/**
 * Writes the note of an encrypted store anew where a key opens it. Whether the user wanted to decrypt is lost with the
 * note: it stays encrypted, and films and backups follow. The store must not be open in this process.
 *
 * @param key  the kept one unless another is given
 * @returns    whether the note is there again
 */
export function restoreLostNote(dataDir: string, key: StoreKey | null = keptKeyOf(dataDir)): boolean {
  const file = storeFile(dataDir);
  if (key === null || !existsSync(file) || isPlainFile(file) || !isOpenedBy(file, key)) return false;
  const fingerprint = fingerprintOfKey(key);
  writeEncryptionNote(dataDir, {
    store: "encrypted",
    wanted: "encrypted",
    isReplacing: false,
    isDone: false,
    fingerprint,
  });
  return true;
}

/**
 * Keeps a store that may be encrypted from passing for a damaged one while its note is lost: without a key that opens
 * it nobody can tell the two apart. The store must not be open in this process.
 *
 * @throws AppError STORE_LOCKED
 */
export function assertNotEncrypted(dataDir: string): void {
  const store = storeFile(dataDir);
  if (!existsSync(store) || isPlainFile(store) || !mayBeEncrypted(store)) return;
  const file = encryptionNoteFile(dataDir);
  const values = {
    file,
    name: path.basename(file),
    store: path.basename(store),
    place: placeOfKey(dataDir),
    command: `${commandLine("encryption")} unlock`,
  };
  throw new AppError("STORE_LOCKED", because("encryptionNoteLost", values));
}

/** Writes a note anew that is there and cannot be read. @throws AppError STORE_LOCKED */
export function mendNote(dataDir: string): void {
  if (existsSync(encryptionNoteFile(dataDir)) && isNoteLost(dataDir) && !restoreLostNote(dataDir))
    assertNotEncrypted(dataDir);
}
