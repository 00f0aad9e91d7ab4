import "reflect-metadata";
import { randomBytes, type webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

/** Certificate with its chain, and its private key; both PEM. */
export type CertifiedKey = { readonly certificatePem: string; readonly privateKeyPem: string };

export const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

export const keyUses = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;

const clockSkewMs = 5 * 60_000;

/** Start of a certificate's validity: slightly before its creation, to allow for clock skew. */
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

/** Creates a new key and its self-signed certificate. */
export async function makeSelfSigned(
  commonName: string,
  from: Date,
  until: Date,
  extensions: readonly x509.Extension[],
): Promise<CertifiedKey> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: [{ CN: [commonName] }, { O: ["Corvet"] }],
      notBefore: validFrom(from),
      notAfter: until,
      keys,
      signingAlgorithm: algorithm,
      extensions: [...extensions, await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto)],
    },
    crypto,
  );
  return await certifiedKey(certificate, keys);
}

/** Returns a random positive serial number of 16 bytes, in hexadecimal (RFC 5280, 4.1.2.2: at most 20 bytes). */
export function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
}
