import { hash, verify } from "@node-rs/argon2";

/** The library's constant; its const enum does not exist at run time. */
const argon2id = 2;

/** Second recommended option of RFC 9106 with one lane: about 0.1 s on a clinic's computer, in a worker thread. */
const cost = { algorithm: argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/** Parameters and salt are part of the hash. */
export async function hashSecret(secret: string): Promise<string> {
  return hash(secret.normalize("NFC"), cost);
}

/** The duration does not depend on the mismatch. */
export async function isSecret(secretHash: string, secret: string): Promise<boolean> {
  return verify(secretHash, secret.normalize("NFC"));
}
