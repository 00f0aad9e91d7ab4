import { readFileSync } from "node:fs";
import type { SafeStorage } from "electron";
import type { HeadVault } from "../services/program/watches/record-watch.ts";
import { parseHead } from "../store/ledger/record-anchor.ts";
import { assertReadable, replacePrivateFile } from "../store/files/private-file.ts";

/** Stores the record's head under a key of the operating system, as access to the data directory could replace it. */
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
