import { readFileSync } from "node:fs";
import type { SafeStorage } from "electron";
import type { HeadVault } from "../services/program/watches/record-watch.ts";
import { parseHead } from "../store/ledger/record-anchor.ts";
import { assertReadable, replacePrivateFile } from "../store/files/private-file.ts";

/**
 * Stores the head of the record under a key of the operating system's key store, so that access to the data directory
 * is not enough to replace it. Returns null if the system has no key store.
 *
 * @param file  path of the encrypted head, outside the data directory
 */
export function openHeadVault(safeStorage: SafeStorage, file: string): HeadVault | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  return {
    read() {
      try {
        return parseHead(safeStorage.decryptString(readFileSync(file)));
      } catch (error) {
        assertReadable(error);
        return null;
      }
    },
    keep(head) {
      replacePrivateFile(file, safeStorage.encryptString(JSON.stringify(head)));
    },
  };
}
