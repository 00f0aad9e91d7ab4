import type { SafeStorage } from "electron";
import type { Sealer } from "../services/desktop/secrets.ts";

/** Opens the operating system's key store. Returns null if there is none, or only one with a well-known secret. */
export function openSealer(safeStorage: SafeStorage): Sealer | null {
  const isKnownSecret = process.platform === "linux" && safeStorage.getSelectedStorageBackend() === "basic_text";
  if (!safeStorage.isEncryptionAvailable() || isKnownSecret) return null;
  return {
    seal: (plain) => safeStorage.encryptString(plain),
    open: (sealed) => safeStorage.decryptString(sealed),
  };
}
