import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { recoveryCommand } from "../../program.ts";
import { readEncryptionNote } from "./encryption-note.ts";
import { fingerprintOfKey, keyOfRecovery, recoveryKeyOf, type StoreKey } from "./store-key.ts";
import { fileExists, replacePrivateFile } from "../files/private-file.ts";

export type KeyKeeper = {
  readonly place: (dataDir: string) => string;
  /** Null if access is refused, too. @throws AppError STORE_LOCKED for a read fault */
  readonly read: (dataDir: string) => StoreKey | null;
  readonly keep: (dataDir: string, key: StoreKey) => void;
  /** Deletes the key, unless the user named its file. */
  readonly forget: (dataDir: string) => void;
};

/** Names the key file, overriding the one derived from the data directory's path. */
const fileVariable = "CORVET_STORE_KEY_FILE";

/**
 * For programs without a key store. A file that the user named is neither replaced nor deleted, because other data
 * directories and copies may need its key.
 */
export const fileKeeper: KeyKeeper = {
  place: keyFile,
  read(dataDir) {
    const file = keyFile(dataDir);
    try {
      return fileExists(file) ? keyOfRecovery(readFileSync(file, "utf8")) : null;
    } catch (cause) {
      throw unreadableKey(dataDir, file, cause);
    }
  },
  keep(dataDir, key) {
    const file = keyFile(dataDir);
    if (process.env[fileVariable] && fileExists(file) && this.read(dataDir) !== key)
      throw new AppError("STORE_LOCKED", because("storeKeyFileTaken", { place: file, variable: fileVariable }));
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    replacePrivateFile(file, `${recoveryKeyOf(key)}\n`);
  },
  forget(dataDir) {
    if (!process.env[fileVariable]) rmSync(keyFile(dataDir), { force: true });
  },
};

export function unreadableKey(dataDir: string, place: string, cause: unknown): AppError {
  const reason = because("storeKeyUnreadable", { place, command: unlockCommand(dataDir) });
  return new AppError("STORE_LOCKED", reason, { cause });
}

let keeper = fileKeeper;
/** Keys by data directory, cached because a key store is slow and each film needs the key. */
const inUse = new Map<string, StoreKey>();

export function setKeyKeeper(other: KeyKeeper): void {
  keeper = other;
}

export function placeOfKey(dataDir: string): string {
  return keeper.place(dataDir);
}

/** The key may not match the store. */
export function readStoredKey(dataDir: string): StoreKey | null {
  return keeper.read(dataDir);
}

export function unlockCommand(dataDir: string): string {
  return recoveryCommand("--recovery-key-file=FILE", "encryption unlock", dataDir);
}

/** Null if nothing is encrypted. @throws AppError STORE_LOCKED when the key is missing or is another store's */
export function storeKeyOf(dataDir: string): StoreKey | null {
  const note = readEncryptionNote(dataDir);
  if (note === null) return null;
  const known = inUse.get(dataDir);
  if (known !== undefined && fingerprintOfKey(known) === note.fingerprint) return known;
  const key = keeper.read(dataDir);
  const values = { place: keeper.place(dataDir), command: unlockCommand(dataDir) };
  if (key === null) throw new AppError("STORE_LOCKED", because("storeKeyMissing", values));
  if (fingerprintOfKey(key) !== note.fingerprint) throw new AppError("STORE_LOCKED", because("storeKeyOther", values));
  inUse.set(dataDir, key);
  return key;
}

/** Key of the store file; null while the store is plain. @throws AppError STORE_LOCKED */
export function keyOfStore(dataDir: string): StoreKey | null {
  return readEncryptionNote(dataDir)?.store === "encrypted" ? storeKeyOf(dataDir) : null;
}

/** @throws AppError STORE_LOCKED if the key cannot be stored, or the file that the user named has other content */
export function saveStoreKey(dataDir: string, key: StoreKey): void {
  keeper.keep(dataDir, key);
  if (keeper.read(dataDir) !== key) {
    keeper.forget(dataDir);
    throw new AppError("STORE_LOCKED", because("storeKeyNotKept", { place: keeper.place(dataDir) }));
  }
  inUse.set(dataDir, key);
}

/** Call once nothing is encrypted with the key any more. */
export function forgetStoreKey(dataDir: string): void {
  keeper.forget(dataDir);
  inUse.delete(dataDir);
}

function keyFile(dataDir: string): string {
  const named = process.env[fileVariable];
  if (named) return path.resolve(named);
  const folder = path.resolve(dataDir);
  const mark = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return path.join(keysFolder(path.dirname(folder)), `${path.basename(folder)}-${mark}.key`);
}

/** Never inside the data directory: a copy of that directory must not contain the key. */
function keysFolder(besides: string): string {
  const { CORVET_KEYS_DIR, XDG_CONFIG_HOME, LOCALAPPDATA, HOME } = process.env;
  if (CORVET_KEYS_DIR) return CORVET_KEYS_DIR;
  if (process.platform === "win32") return path.join(LOCALAPPDATA ?? besides, "Corvet keys");
  return path.join(XDG_CONFIG_HOME ?? path.join(HOME ?? besides, ".config"), "corvet-keys");
}
