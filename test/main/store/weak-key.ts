import { scryptSync } from "node:crypto";
import type { BackupKey } from "../../../main/store/backups/backup-cipher.ts";

/** Derives a key from a passphrase with little memory and time, as do readers of an archive encrypted with it. */
export function weakKey(passphrase: string): BackupKey {
  const salt = Buffer.from("salt").toString("base64");
  const [n, r, p] = [1024, 8, 1];
  const key = scryptSync(passphrase, Buffer.from(salt, "base64"), 32, { N: n, r, p });
  return { salt, n, r, p, key };
}
