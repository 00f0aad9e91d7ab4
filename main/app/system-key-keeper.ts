import { readFileSync, rmSync } from "node:fs";
import type { SafeStorage } from "electron";
import { fileKeeper, unreadableKey, type KeyKeeper } from "../store/encryption/key-keeper.ts";
import { keyOfRecovery, recoveryKeyOf } from "../store/encryption/store-key.ts";
import { isReadFault, replacePrivateFile } from "../store/files/private-file.ts";
import { openSealer } from "./sealer.ts";

/** Keys of encrypted stores under a key of the operating system, or in files without a trustworthy key store. */
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
        // The key may have been unlocked on the command line.
        return fileKeeper.read(dataDir);
      }
    },
    keep(dataDir, key) {
      const file = fileOf(dataDir);
      replacePrivateFile(file, sealer.seal(recoveryKeyOf(key)));
      fileKeeper.forget(dataDir);
    },
    forget(dataDir) {
      rmSync(fileOf(dataDir), { force: true });
      fileKeeper.forget(dataDir);
    },
  };
}
