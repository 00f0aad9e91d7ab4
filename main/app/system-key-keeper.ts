import { readFileSync, rmSync } from "node:fs";
import type { SafeStorage } from "electron";
import { fileKeeper, unreadableKey, type KeyKeeper } from "../store/encryption/key-keeper.ts";
import { keyOfRecovery, recoveryKeyOf, type StoreKey } from "../store/encryption/store-key.ts";
import { isReadFault, replacePrivateFile } from "../store/private-file.ts";
import { openSealer } from "./sealer.ts";

/**
 * Stores the keys of encrypted stores under a key of the operating system's key store. If there is none, or only one
 * with a well-known secret, the key is in a file that only the user can read.
 *
 * @param fileOf  path of a data directory's sealed key, outside it
 */
export function systemKeyKeeper(safeStorage: SafeStorage, fileOf: (dataDir: string) => string): KeyKeeper {
  const sealer = openSealer(safeStorage);
  if (sealer === null) return fileKeeper;
  return {
    place: fileOf,
    read(dataDir) {
      try {
        return keyOfRecovery(sealer.open(readFileSync(fileOf(dataDir))));
      } catch (error) {
        if (isReadFault(error)) throw unreadableKey(dataDir, fileOf(dataDir), error);
        // A key that was unlocked on the command line.
        return fileKeeper.read(dataDir);
      }
    },
    keep(dataDir, key) {
      const file = fileOf(dataDir);
      replacePrivateFile(file, sealer.seal(recoveryKeyOf(key)));
      removeKeyFile(dataDir, key);
    },
    forget(dataDir) {
      const key = this.read(dataDir);
      rmSync(fileOf(dataDir), { force: true });
      removeKeyFile(dataDir, key);
    },
  };
}

/** Removes the key file unless it holds another key: CORVET_STORE_KEY_FILE may name another data directory's. */
function removeKeyFile(dataDir: string, key: StoreKey | null): void {
  if (fileKeeper.read(dataDir) === key) fileKeeper.forget(dataDir);
}
