import path from "node:path";
import { AppError, because } from "../../../../core/app-error.ts";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import type { WritableDb } from "../../../store/connection.ts";
import { bytesOfStore, sqliteFileOf } from "../../../store/engines/engine.ts";
import { isPlainFile } from "../../../store/encryption/database-file.ts";
import {
  readEncryptionNote,
  stageEncryptionNote,
  writeEncryptionNote,
  type EncryptionNote,
} from "../../../store/encryption/encryption-note.ts";
import { saveStoreKey, readStoredKey, placeOfKey } from "../../../store/encryption/key-keeper.ts";
import { assertNotEncrypted, isNoteLost, restoreLostNote } from "../../../store/encryption/lost-note.ts";
import {
  fingerprintOfKey,
  keyOfRecovery,
  makeStoreKey,
  recoveryKeyOf,
  type StoreKey,
} from "../../../store/encryption/store-key.ts";
import { forgetEncryption, listStoreCopies } from "./convert-files.ts";
import { statfsSync, statSync } from "node:fs";

type OfferedKey = { readonly recoveryKey: string };

export function getEncryption(dataDir: string): DesktopResponse<"encryption.get"> {
  const note = readEncryptionNote(dataDir);
  const isEncrypted = note?.store === "encrypted";
  return {
    isEncrypted,
    isWanted: note?.wanted === "encrypted",
    isDone: note?.isDone ?? true,
    place: placeOfKey(dataDir),
    plainCopies: isEncrypted
      ? listStoreCopies(dataDir)
          .filter(isPlainFile)
          .map((file) => path.basename(file))
      : [],
  };
}

/**
 * Returns a new key, or the one still in its location. `planEncryption` stores it after the user has confirmed a
 * written copy.
 *
 * @returns null if the data directory has a key
 * @throws AppError DISK_FULL, CONFLICT if the store is in a database
 */
export function offerRecoveryKey(db: WritableDb, dataDir: string): OfferedKey | null {
  assertSpaceToConvert(db, dataDir);
  if (readEncryptionNote(dataDir) !== null) return null;
  return { recoveryKey: recoveryKeyOf(readStoredKey(dataDir) ?? makeStoreKey()) };
}

/**
 * Schedules encryption or decryption for the next start. On an error no change is scheduled.
 *
 * @param recoveryKey  the offered key, confirmed by the user; null if the data directory has a key
 * @throws AppError STORE_LOCKED if the key cannot be stored, DISK_FULL, CONFLICT if another key was confirmed first or
 *   the store is in a database
 */
export async function planEncryption(
  db: WritableDb,
  dataDir: string,
  isWanted: boolean,
  recoveryKey: string | null = null,
): Promise<void> {
  // Throws for a database, which its server encrypts.
  sqliteFileOf(db);
  const note = readEncryptionNote(dataDir);
  const key = recoveryKey === null ? null : readRecoveryKey(recoveryKey);
  if (note !== null && key !== null && note.fingerprint !== fingerprintOfKey(key)) throw new AppError("CONFLICT");
  if ((note?.wanted === "encrypted") === isWanted) return;
  const record = () => recordAudit(db, { action: isWanted ? "store.encrypted" : "store.decrypted" });
  const wanted = isWanted ? "encrypted" : "plain";
  if (note !== null && note.store === wanted && note.isDone) {
    await record();
    return wanted === "plain" ? forgetEncryption(dataDir) : writeEncryptionNote(dataDir, { ...note, wanted });
  }
  assertSpaceToConvert(db, dataDir);
  if (note !== null) return replaceNote(dataDir, { ...note, wanted }, record);
  if (key === null) throw new AppError("INVALID_FIELD", because("recoveryKeyMistyped"));
  saveStoreKey(dataDir, key);
  try {
    const first = { store: "plain", isReplacing: false, isDone: true, fingerprint: fingerprintOfKey(key) } as const;
    await replaceNote(dataDir, { ...first, wanted }, record);
  } catch (error) {
    forgetEncryption(dataDir);
    throw error;
  }
}

async function replaceNote(dataDir: string, note: EncryptionNote, record: () => Promise<void>): Promise<void> {
  const staged = stageEncryptionNote(dataDir, note);
  try {
    await record();
    staged.replace();
  } finally {
    staged.discard();
  }
}

function readRecoveryKey(typed: string): StoreKey {
  const key = keyOfRecovery(typed);
  if (key === null) throw new AppError("STORE_LOCKED", because("recoveryKeyMistyped"));
  return key;
}

/**
 * Stores the key of an encrypted store that was lost or is on another computer.
 *
 * @throws AppError STORE_LOCKED for a mistyped key or the key of another store
 */
export function unlockStore(dataDir: string, recoveryKey: string): void {
  const key = keyOfRecovery(recoveryKey);
  if (key !== null && isNoteLost(dataDir) && restoreLostNote(dataDir, key)) return saveStoreKey(dataDir, key);
  const note = readEncryptionNote(dataDir);
  if (note === null) {
    assertNotEncrypted(dataDir);
    throw new AppError("INVALID_FIELD", because("nothingEncrypted"));
  }
  if (key === null) throw new AppError("STORE_LOCKED", because("recoveryKeyMistyped"));
  if (fingerprintOfKey(key) !== note.fingerprint) throw new AppError("STORE_LOCKED", because("recoveryKeyOther"));
  saveStoreKey(dataDir, key);
}

const marginBytes = 16 * 1024 * 1024;

/** Store and copies are converted sequentially, each into a second file. @throws AppError DISK_FULL */
function assertSpaceToConvert(db: WritableDb, dataDir: string): void {
  const needed =
    Math.max(bytesOfStore(db), ...listStoreCopies(dataDir).map((file) => statSync(file).size)) + marginBytes;
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  if (free >= needed) return;
  const [neededMb, freeMb] = [Math.ceil(needed / 1e6), Math.floor(free / 1e6)].map(String) as [string, string];
  throw new AppError("DISK_FULL", because("conversionNeedsSpace", { neededMb, freeMb }));
}
