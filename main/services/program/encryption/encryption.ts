import path from "node:path";
import { AppError, because } from "../../../../core/app-error.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import type { WritableDb } from "../../../store/connection.ts";
import { sqliteFileOf } from "../../../store/engines/engine.ts";
import { isPlainFile } from "../../../store/encryption/database-file.ts";
import { readEncryptionNote, writeEncryptionNote } from "../../../store/encryption/encryption-note.ts";
import { keepStoreKey, placeOfKey } from "../../../store/encryption/key-keeper.ts";
import { assertNotEncrypted, isNoteLost, restoreLostNote } from "../../../store/encryption/lost-note.ts";
import { fingerprintOfKey, keyOfRecovery, makeStoreKey, recoveryKeyOf } from "../../../store/encryption/store-key.ts";
import { forgetEncryption, listStoreCopies } from "./convert-files.ts";

/** What is encrypted in a data directory, and what the user wants to be. */
export type EncryptionState = {
  readonly isEncrypted: boolean;
  readonly isWanted: boolean;
  /** Films and backups have the store's form. */
  readonly isDone: boolean;
  /** Tells the key from others without giving it away; null where nothing is encrypted, or about to be. */
  readonly keyFingerprint: string | null;
  /** Where the key is kept. */
  readonly place: string;
  /** Copies of the store that stayed plain: damaged ones cannot be encrypted. */
  readonly plainCopies: string[];
};

/** A new key as a person keeps it, and what tells it from others. */
type MadeKey = { readonly recoveryKey: string; readonly fingerprint: string };

/** What is encrypted in a data directory. */
export function getEncryption(dataDir: string): EncryptionState {
  const note = readEncryptionNote(dataDir);
  const isEncrypted = note?.store === "encrypted";
  return {
    isEncrypted,
    isWanted: note?.wanted === "encrypted",
    isDone: note?.isDone ?? true,
    keyFingerprint: note?.fingerprint ?? null,
    place: placeOfKey(dataDir),
    plainCopies: isEncrypted
      ? listStoreCopies(dataDir)
          .filter(isPlainFile)
          .map((file) => path.basename(file))
      : [],
  };
}

/**
 * Has the next start encrypt the data directory, or decrypt it. The key is kept before anything is encrypted with it.
 *
 * @returns a new key, which nobody is shown again; null where none was made
 * @throws AppError STORE_LOCKED when the key cannot be kept, CONFLICT where the store is in a database
 */
export async function planEncryption(db: WritableDb, dataDir: string, isWanted: boolean): Promise<MadeKey | null> {
  // A database is encrypted where it runs.
  sqliteFileOf(db);
  const note = readEncryptionNote(dataDir);
  if ((note?.wanted === "encrypted") === isWanted) return null;
  const wanted = isWanted ? "encrypted" : "plain";
  let made: MadeKey | null = null;
  if (note !== null && note.store === "plain" && note.isDone && !isWanted) forgetEncryption(dataDir);
  else if (note !== null) writeEncryptionNote(dataDir, { ...note, wanted });
  else {
    const key = makeStoreKey();
    keepStoreKey(dataDir, key);
    const fingerprint = fingerprintOfKey(key);
    writeEncryptionNote(dataDir, { store: "plain", wanted, isReplacing: false, isDone: true, fingerprint });
    made = { recoveryKey: recoveryKeyOf(key), fingerprint };
  }
  await recordAudit(db, { action: isWanted ? "store.encrypted" : "store.decrypted" });
  return made;
}

/**
 * Keeps the key of an encrypted store here, out of its recovery key: after the key was lost, or on another computer.
 *
 * @throws AppError STORE_LOCKED when it is mistyped or another store's
 */
export function unlockStore(dataDir: string, recoveryKey: string): void {
  const key = keyOfRecovery(recoveryKey);
  if (key !== null && isNoteLost(dataDir) && restoreLostNote(dataDir, key)) return keepStoreKey(dataDir, key);
  const note = readEncryptionNote(dataDir);
  if (note === null) {
    assertNotEncrypted(dataDir);
    throw new AppError("INVALID_FIELD", because("nothingEncrypted"));
  }
  if (key === null) throw new AppError("STORE_LOCKED", because("recoveryKeyMistyped"));
  if (fingerprintOfKey(key) !== note.fingerprint) throw new AppError("STORE_LOCKED", because("recoveryKeyOther"));
  keepStoreKey(dataDir, key);
}
