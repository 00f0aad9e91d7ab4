import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import type { CertifiedKey } from "./certificates.ts";

const dayMs = 24 * 60 * 60 * 1000;
const authorityLifeMs = 3650 * dayMs;
const leafLifeMs = 365 * dayMs;
/** A leaf is replaced when it has less than this left [ms]. */
const renewBeforeMs = 30 * dayMs;

/** Names under which the service always answers. */
export const loopbackNames = ["localhost", "127.0.0.1", "::1"] as const;

/** What the listener needs, and where the authority's public part lies for clients to trust. */
export type TlsCredentials = {
  readonly key: string;
  /** Leaf and authority. */
  readonly cert: string;
  readonly authorityPath: string;
};

/**
 * The certificates of a data directory, made where they are missing, damaged, about to expire or without a configured
 * name. The authority is kept as long as it is valid, so that clients who trust it go on trusting it.
 *
 * @param hosts  configured names beside the loopback ones
 */
export async function ensureTlsCredentials(
  dataDir: string,
  hosts: readonly string[],
  now: Date,
): Promise<TlsCredentials> {
  const folder = path.join(dataDir, "tls");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority = await ensureAuthority(folder, now);
  const leaf = await ensureLeaf(folder, authority, [...new Set([...loopbackNames, ...hosts])], now);
  return {
    key: leaf.privateKeyPem,
    cert: `${leaf.certificatePem.trim()}\n${authority.certificatePem.trim()}\n`,
    authorityPath: path.join(folder, "authority.pem"),
  };
}

async function ensureAuthority(folder: string, now: Date): Promise<CertifiedKey> {
  const found = readCertified(folder, "authority");
  // An authority must outlive the leaves that it signs.
  if (found && isCurrent(found, now, leafLifeMs)) return found;
  const { makeAuthority } = await certificates();
  const made = await makeAuthority(
    `Corvet local authority (${hostname()})`,
    now,
    new Date(now.getTime() + authorityLifeMs),
  );
  writeCertified(folder, "authority", made);
  return made;
}

async function ensureLeaf(
  folder: string,
  authority: CertifiedKey,
  names: readonly string[],
  now: Date,
): Promise<CertifiedKey> {
  const found = readCertified(folder, "server");
  if (found && isCurrent(found, now, renewBeforeMs) && isSignedBy(found, authority) && hasNames(found, names))
    return found;
  const { makeLeaf } = await certificates();
  const made = await makeLeaf(authority, names, now, new Date(now.getTime() + leafLifeMs));
  writeCertified(folder, "server", made);
  return made;
}

/** The library is large and needed once a year: a start without it is quicker. */
const certificates = () => import("./certificates.ts");

function isCurrent({ certificatePem }: CertifiedKey, now: Date, leastLeftMs: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificatePem);
  return validFromDate <= now && validToDate.getTime() - now.getTime() > leastLeftMs;
}

function isSignedBy(leaf: CertifiedKey, authority: CertifiedKey): boolean {
  const issuer = new X509Certificate(authority.certificatePem);
  const certificate = new X509Certificate(leaf.certificatePem);
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function hasNames(leaf: CertifiedKey, names: readonly string[]): boolean {
  const certificate = new X509Certificate(leaf.certificatePem);
  return names.every(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

/** null when a file is missing or holds nothing usable: it is made anew. */
function readCertified(folder: string, name: string): CertifiedKey | null {
  try {
    const certificatePem = readFileSync(path.join(folder, `${name}.pem`), "utf8");
    const privateKeyPem = readFileSync(path.join(folder, `${name}.key`), "utf8");
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem))
      ? { certificatePem, privateKeyPem }
      : null;
  } catch {
    return null;
  }
}

function writeCertified(folder: string, name: string, { certificatePem, privateKeyPem }: CertifiedKey): void {
  writeWhole(path.join(folder, `${name}.key`), privateKeyPem, 0o600);
  writeWhole(path.join(folder, `${name}.pem`), certificatePem, 0o644);
}

/** Never half a file under the real name, whatever happens. */
function writeWhole(file: string, text: string, mode: number): void {
  const unfinished = `${file}.new-${process.pid}`;
  writeFileSync(unfinished, text, { mode });
  renameSync(unfinished, file);
}
