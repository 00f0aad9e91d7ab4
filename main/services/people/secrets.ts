import { hash, verify } from "@node-rs/argon2";

/** The library's number for it; its own enumeration is gone at run time. */
const argon2id = 2;

/**
 * The second choice of RFC 9106 (64 MiB, three passes), one lane: about a tenth of a second on a clinic's machine, in a
 * thread of its own.
 */
const cost = { algorithm: argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/**
 * What is kept of a PIN or password: argon2id with its parameters and salt. The same characters typed otherwise count.
 */
export async function hashSecret(secret: string): Promise<string> {
  return hash(secret.normalize("NFC"), cost);
}

/** Whether a secret is the one that was hashed; takes as long whatever is wrong with it. */
export async function isSecret(secretHash: string, secret: string): Promise<boolean> {
  return verify(secretHash, secret.normalize("NFC"));
}
