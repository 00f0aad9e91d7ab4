import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { sqliteCodeOf } from "../engines/sqlite/connect.ts";
import { isDamage } from "../record/integrity.ts";
import { storeFile } from "../files/store-files.ts";
import { isOpenedBy } from "./copy-keys.ts";
import { isPlainFile, mayBeEncrypted, openDatabaseFile } from "./database-file.ts";
import { encryptionNoteFile, readEncryptionNote, writeEncryptionNote, type EncryptionNote } from "./encryption-note.ts";
import { readStoredKey, placeOfKey, unlockCommand } from "./key-keeper.ts";
import { fingerprintOfKey, type StoreKey } from "./store-key.ts";
import { fileExists, isReadFault } from "../files/private-file.ts";

/** Whether the note is missing or damaged, so the form of the store is unknown. @throws AppError if reading fails */
export function isNoteLost(dataDir: string): boolean {
  try {
    return readEncryptionNote(dataDir) === null;
  } catch (error) {
    // A read error may be temporary, so the note counts as intact.
    if (error instanceof AppError && !isReadFault(error.cause)) return true;
    throw error;
  }
}

/**
 * Rewrites the note if a key opens the store, or if the conversion of a plain one is pending, with the wanted form from
 * the audit trail. The store must not be open in this process.
 *
 * @param key  defaults to the stored one
 * @returns    whether the note was rewritten
 */
export function restoreLostNote(dataDir: string, key: StoreKey | null = readStoredKey(dataDir)): boolean {
  const file = storeFile(dataDir);
  if (key === null || !fileExists(file)) return false;
  const store = isPlainFile(file) ? "plain" : "encrypted";
  if (store === "encrypted" && !isOpenedBy(file, key)) return false;
  const wanted = lastWantedForm(file, store === "plain" ? null : key) ?? store;
  // Without a note, a key of a plain store is a leftover.
  if (store === "plain" && wanted === "plain" && !fileExists(encryptionNoteFile(dataDir))) return false;
  const fingerprint = fingerprintOfKey(key);
  writeEncryptionNote(dataDir, { store, wanted, isReplacing: false, isDone: false, fingerprint });
  return true;
}

const wantedForms = { "store.encrypted": "encrypted", "store.decrypted": "plain", "restore.done": null } as const;

/** Null if the audit trail records none, or after a restore. */
function lastWantedForm(store: string, key: StoreKey | null): EncryptionNote["wanted"] | null {
  const db = openDatabaseFile(store, key, { readonly: true });
  try {
    const actions = Object.keys(wantedForms)
      .map((action) => `'${action}'`)
      .join(", ");
    const newest = db.prepare(`SELECT action FROM audit_events WHERE action IN (${actions}) ORDER BY seq DESC LIMIT 1`);
    return wantedForms[(newest.pluck().get() ?? "restore.done") as keyof typeof wantedForms];
  } catch (error) {
    // Damaged, or not a store of Corvet.
    if (isDamage(error) || sqliteCodeOf(error) === "SQLITE_ERROR") return null;
    throw error;
  } finally {
    db.close();
  }
}

/** Asserts that a store without a note, which is not open, is not an encrypted one. @throws AppError STORE_LOCKED */
export function assertNotEncrypted(dataDir: string): void {
  const store = storeFile(dataDir);
  if (!fileExists(store) || isPlainFile(store) || !mayBeEncrypted(store)) return;
  const file = encryptionNoteFile(dataDir);
  const values = {
    file,
    name: path.basename(file),
    store: path.basename(store),
    place: placeOfKey(dataDir),
    command: unlockCommand(dataDir),
  };
  throw new AppError("STORE_LOCKED", because("encryptionNoteLost", values));
}

/** An unreadable note without a key needs the user's decision. @throws AppError STORE_LOCKED */
export function repairNote(dataDir: string): void {
  const file = encryptionNoteFile(dataDir);
  if (!isNoteLost(dataDir) || restoreLostNote(dataDir) || !fileExists(file)) return;
  assertNotEncrypted(dataDir);
  const store = storeFile(dataDir);
  if (fileExists(store) && isPlainFile(store))
    throw new AppError(
      "STORE_LOCKED",
      because("encryptionNoteOfPlain", {
        file,
        store: path.basename(store),
        place: placeOfKey(dataDir),
        command: unlockCommand(dataDir),
      }),
    );
}
