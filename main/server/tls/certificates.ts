import "reflect-metadata";
import { randomBytes, type webcrypto } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const serverAuthentication = "1.3.6.1.5.5.7.3.1";
/** Certificates are valid from a little before they were made: clocks differ. */
const clockSkewMs = 5 * 60_000;

/** A certificate with its private key, both PEM. */
export type CertifiedKey = { readonly certificatePem: string; readonly privateKeyPem: string };

/** Makes a certificate authority of this machine: ECDSA P-256, may sign leaves and nothing else. */
export async function makeAuthority(name: string, from: Date, until: Date): Promise<CertifiedKey> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: [{ CN: [name] }, { O: ["Corvet"] }],
      notBefore: new Date(from.getTime() - clockSkewMs),
      notAfter: until,
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return { certificatePem: certificate.toString("pem"), privateKeyPem: await privateKeyPem(keys) };
}

/** Makes a server certificate for these names (DNS names and IP addresses), signed by the authority. */
export async function makeLeaf(
  authority: CertifiedKey,
  names: readonly string[],
  from: Date,
  until: Date,
): Promise<CertifiedKey> {
  const keys = await makeKeys();
  const issuer = new x509.X509Certificate(authority.certificatePem);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject: [{ CN: ["localhost"] }],
      issuer: issuer.subject,
      notBefore: new Date(from.getTime() - clockSkewMs),
      notAfter: until,
      publicKey: keys.publicKey,
      signingKey: await importPrivateKey(authority.privateKeyPem),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([serverAuthentication]),
        new x509.SubjectAlternativeNameExtension(names.map(generalName)),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, crypto),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return { certificatePem: certificate.toString("pem"), privateKeyPem: await privateKeyPem(keys) };
}

function generalName(name: string): x509.JsonGeneralName {
  return { type: isIP(name) === 0 ? "dns" : "ip", value: name };
}

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

async function privateKeyPem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
}

async function importPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  return await crypto.subtle.importKey("pkcs8", x509.PemConverter.decodeFirst(pem), algorithm, false, ["sign"]);
}

/** Positive, at most 20 bytes, not guessable (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString("hex");
}
