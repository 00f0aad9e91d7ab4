import { existsSync } from "node:fs";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { sqliteCodeOf } from "../engines/sqlite/connect.ts";
import { storeFile } from "../store-files.ts";
import { isOpenedBy } from "./copy-keys.ts";
import { isPlainFile, openDatabaseFile } from "./database-file.ts";
import { encryptionNoteFile, readEncryptionNote, writeEncryptionNote, type EncryptionNote } from "./encryption-note.ts";
import { keptKeyOf, placeOfKey, unlockCommand } from "./key-keeper.ts";
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
 * Writes the note again where a key opens the store, or the store is plain and on its way to be encrypted or back. What
 * the user wanted is read in the audit trail; films and backups follow. The store must not be open in this process.
 *
 * @param key  the kept one unless another is given
 * @returns    whether the note is there again
 */
export function restoreLostNote(dataDir: string, key: StoreKey | null = keptKeyOf(dataDir)): boolean {
  const file = storeFile(dataDir);
  if (key === null || !existsSync(file)) return false;
  const store = isPlainFile(file) ? "plain" : "encrypted";
  if (store === "encrypted" && !isOpenedBy(file, key)) return false;
  const wanted = lastWish(file, store === "plain" ? null : key) ?? store;
  // Without a note, a key beside a plain store is only left over.
  if (store === "plain" && wanted === "plain" && !existsSync(encryptionNoteFile(dataDir))) return false;
  const fingerprint = fingerprintOfKey(key);
  writeEncryptionNote(dataDir, { store, wanted, isReplacing: false, isDone: false, fingerprint });
  return true;
}

const wishes = { "store.encrypted": "encrypted", "store.decrypted": "plain", "restore.done": null } as const;

/** What the user wanted last, by the audit trail; null where it does not say, or is that of a restored copy. */
function lastWish(store: string, key: StoreKey | null): EncryptionNote["wanted"] | null {
  const db = openDatabaseFile(store, key, { readonly: true });
  try {
    const actions = Object.keys(wishes)
      .map((action) => `'${action}'`)
      .join(", ");
    const newest = db.prepare(`SELECT action FROM audit_events WHERE action IN (${actions}) ORDER BY seq DESC LIMIT 1`);
    return wishes[(newest.pluck().get() ?? "restore.done") as keyof typeof wishes];
  } catch (error) {
    // Damaged, or older than the audit trail.
    if (sqliteCodeOf(error) !== null) return null;
    throw error;
  } finally {
    db.close();
  }
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
    command: unlockCommand(),
  };
  throw new AppError("STORE_LOCKED", because("encryptionNoteLost", values));
}

/**
 * Writes a lost note again. One that is there and cannot be read, without a key, is the user's to judge: films may be
 * encrypted.
 *
 * @throws AppError STORE_LOCKED
 */
export function mendNote(dataDir: string): void {
  const file = encryptionNoteFile(dataDir);
  if (!isNoteLost(dataDir) || restoreLostNote(dataDir) || !existsSync(file)) return;
  assertNotEncrypted(dataDir);
  const store = storeFile(dataDir);
  if (existsSync(store) && isPlainFile(store))
    throw new AppError(
      "STORE_LOCKED",
      because("encryptionNoteOfPlain", {
        file,
        store: path.basename(store),
        place: placeOfKey(dataDir),
        command: unlockCommand(),
      }),
    );
}
