import { createHash, hkdfSync, randomBytes } from "node:crypto";

/** Key of an encrypted store: 32 bytes in hexadecimal digits. Passed to threads unchanged, never logged. */
export type StoreKey = string;

/** Crockford's Base32 alphabet: without letters that resemble digits. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const keyDigits = 64;
const checkDigits = 6;
const groupLength = 4;

export function makeStoreKey(): StoreKey {
  return randomBytes(keyDigits / 2).toString("hex");
}

export function fingerprintOfKey(key: StoreKey): string {
  return createHash("sha256").update(`corvet store key ${key}`).digest("hex").slice(0, 16);
}

export function fileKeyOf(key: StoreKey): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(key, "hex"), "", "corvet files", 32));
}

/** A key for printing on paper: fourteen groups of four characters, with a checksum at the end. */
export function recoveryKeyOf(key: StoreKey): string {
  const bits = BigInt(`0x${key}${checkOf(key)}`);
  const length = ((keyDigits + checkDigits) * 4) / 5;
  const letters = Array.from({ length }, (_, at) => alphabet[Number((bits >> BigInt(5 * (length - 1 - at))) & 31n)]);
  return (letters.join("").match(new RegExp(`.{1,${groupLength}}`, "g")) ?? []).join("-");
}

/** Parses a recovery key, tolerating spaces, case and confusable letters; null if invalid. */
export function keyOfRecovery(typed: string): StoreKey | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  let bits = 0n;
  for (const letter of letters) {
    const value = alphabet.indexOf(letter);
    if (value < 0) return null;
    bits = (bits << 5n) | BigInt(value);
  }
  const digits = bits.toString(16).padStart(keyDigits + checkDigits, "0");
  const key = digits.slice(0, keyDigits);
  const isKey = digits.length === keyDigits + checkDigits && digits.slice(keyDigits) === checkOf(key);
  return isKey ? key : null;
}

function checkOf(key: StoreKey): string {
  return createHash("sha256").update(key).digest("hex").slice(0, checkDigits);
}
