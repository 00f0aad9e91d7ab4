import "reflect-metadata";
import { randomBytes, type webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

/** A certificate with what leads to its authority, and its key; both PEM. */
export type CertifiedKey = { readonly certificatePem: string; readonly privateKeyPem: string };

/** How every certificate of ours is signed. */
export const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Permitted uses of a certified key, as object identifiers. */
export const keyUses = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;

const clockSkewMs = 5 * 60_000;

/** From when on a certificate is valid: a little before it was made, since clocks differ. */
export function validFrom(from: Date): Date {
  return new Date(from.getTime() - clockSkewMs);
}

export async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

export async function certifiedKey(
  certificate: x509.X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
): Promise<CertifiedKey> {
  const key = await crypto.subtle.exportKey("pkcs8", privateKey);
  return { certificatePem: certificate.toString("pem"), privateKeyPem: x509.PemConverter.encode(key, "PRIVATE KEY") };
}

/** Positive, at most 20 bytes, not guessable (RFC 5280, 4.1.2.2). */
export function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
}
