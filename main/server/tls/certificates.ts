import "reflect-metadata";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";
import {
  algorithm,
  certifiedKey,
  keyUses,
  makeKeys,
  makeSelfSigned,
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
  const commonName = `${name} ${from.toISOString().slice(0, 10)}`;
  return await makeSelfSigned(commonName, from, until, authorityExtensions(names, 1));
}

function authorityExtensions(names: readonly string[], pathLength: number): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(true, pathLength, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    new x509.Extension("2.5.29.30", true, nameConstraints(names)),
  ];
}

/** Certifies the present authority's key, so that clients that trust only the successor accept its leaves. */
export async function certifyPredecessor(
  successor: CertifiedKey,
  present: CertifiedKey,
  names: readonly string[],
): Promise<string> {
  const { subject, publicKey, notAfter } = new x509.X509Certificate(present.certificatePem);
  const { notBefore } = new x509.X509Certificate(successor.certificatePem);
  const extensions = authorityExtensions(names, 0);
  return (await issue(successor, { subject, publicKey, notBefore, notAfter, extensions })).toString("pem");
}

export async function makeLeaf(
  authority: CertifiedKey,
  names: readonly string[],
  from: Date,
  until: Date,
): Promise<CertifiedKey> {
  const keys = await makeKeys();
  const certificate = await issue(authority, {
    subject: [{ CN: ["localhost"] }],
    publicKey: keys.publicKey,
    notBefore: validFrom(from),
    notAfter: until,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([keyUses.server]),
      new x509.SubjectAlternativeNameExtension(names.map(generalName)),
    ],
  });
  return await certifiedKey(certificate, keys);
}

type Issued = Required<
  Pick<x509.X509CertificateCreateParams, "subject" | "publicKey" | "notBefore" | "notAfter" | "extensions">
>;

async function issue(issuer: CertifiedKey, issued: Issued): Promise<x509.X509Certificate> {
  const { subject, publicKey } = new x509.X509Certificate(issuer.certificatePem);
  const key = x509.PemConverter.decodeFirst(issuer.privateKeyPem);
  return await x509.X509CertificateGenerator.create(
    {
      ...issued,
      serialNumber: serialNumber(),
      issuer: subject,
      signingKey: await crypto.subtle.importKey("pkcs8", key, algorithm, false, ["sign"]),
      signingAlgorithm: algorithm,
      extensions: [
        ...issued.extensions,
        await x509.AuthorityKeyIdentifierExtension.create(publicKey, false, crypto),
        await x509.SubjectKeyIdentifierExtension.create(issued.publicKey, false, crypto),
      ],
    },
    crypto,
  );
}

function generalName(name: string): x509.JsonGeneralName {
  return { type: isIP(name) === 0 ? "dns" : "ip", value: name };
}
