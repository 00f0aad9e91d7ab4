import "reflect-metadata";
import type { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";
import {
  algorithm,
  certifiedKey,
  keyUses,
  makeKeys,
  serialNumber,
  validFrom,
  type CertifiedKey,
} from "../../certificates/certified-key.ts";
import { nameConstraints } from "./name-constraints.ts";

/** Authority of this computer (ECDSA P-256), constrained to these names; it may certify its predecessor. */
export async function makeAuthority(
  name: string,
  names: readonly string[],
  from: Date,
  until: Date,
): Promise<CertifiedKey> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: [{ CN: [`${name} ${from.toISOString().slice(0, 10)}`] }, { O: ["Corvet"] }],
      notBefore: validFrom(from),
      notAfter: until,
      keys,
      signingAlgorithm: algorithm,
      extensions: await authorityExtensions(keys.publicKey, names, 1),
    },
    crypto,
  );
  return await certifiedKey(certificate, keys);
}

async function authorityExtensions(
  key: webcrypto.CryptoKey | x509.PublicKey,
  names: readonly string[],
  pathLength: number,
): Promise<x509.Extension[]> {
  return [
    new x509.BasicConstraintsExtension(true, pathLength, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    new x509.Extension("2.5.29.30", true, nameConstraints(names)),
    await x509.SubjectKeyIdentifierExtension.create(key, false, crypto),
  ];
}

/** Certifies the present authority's key, so that clients that trust only the successor accept its leaves. */
export async function certifyPredecessor(
  successor: CertifiedKey,
  present: CertifiedKey,
  names: readonly string[],
): Promise<string> {
  const [issuer, subject] = [successor, present].map((one) => new x509.X509Certificate(one.certificatePem));
  if (!issuer || !subject) throw new Error("an authority has no certificate");
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject: subject.subject,
      issuer: issuer.subject,
      notBefore: issuer.notBefore,
      notAfter: subject.notAfter,
      publicKey: subject.publicKey,
      signingKey: await importPrivateKey(successor.privateKeyPem),
      signingAlgorithm: algorithm,
      extensions: [
        ...(await authorityExtensions(subject.publicKey, names, 0)),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return certificate.toString("pem");
}

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
      notBefore: validFrom(from),
      notAfter: until,
      publicKey: keys.publicKey,
      signingKey: await importPrivateKey(authority.privateKeyPem),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([keyUses.server]),
        new x509.SubjectAlternativeNameExtension(names.map(generalName)),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, crypto),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return await certifiedKey(certificate, keys);
}

function generalName(name: string): x509.JsonGeneralName {
  return { type: isIP(name) === 0 ? "dns" : "ip", value: name };
}

async function importPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  return await crypto.subtle.importKey("pkcs8", x509.PemConverter.decodeFirst(pem), algorithm, false, ["sign"]);
}
