import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import { fileKeyOf, type StoreKey } from "./store-key.ts";

const magic = Buffer.from("CORVETF1");
const nonceBytes = 12;
const tagBytes = 16;

export function isSealed(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, magic.length));
}

/** AES-256-GCM bound to the file's name, so that sealed files cannot be swapped. A null key seals nothing. */
export function sealBytes(bytes: Uint8Array, name: string, key: StoreKey | null): Uint8Array {
  if (key === null) return bytes;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", fileKeyOf(key), nonce);
  cipher.setAAD(Buffer.from(name));
  return Buffer.concat([magic, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Returns the content of a file, sealed or not.
 *
 * @param key  called for a sealed file only
 * @throws AppError STORE_LOCKED when it is sealed with another key or was changed
 */
export function openBytes(bytes: Buffer, name: string, key: () => StoreKey | null): Buffer {
  if (!isSealed(bytes)) return bytes;
  const known = key();
  // Nothing here was ever encrypted: a plain file that happens to begin like a sealed one.
  if (known === null) return bytes;
  const start = magic.length + nonceBytes;
  try {
    const decipher = createDecipheriv("aes-256-gcm", fileKeyOf(known), bytes.subarray(magic.length, start));
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(start, -tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new AppError("STORE_LOCKED", undefined, { cause });
  }
}
