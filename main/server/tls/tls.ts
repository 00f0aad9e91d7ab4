import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { isIP } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { dayMs } from "../../../core/durations.ts";
import type { CertifiedKey } from "../../certificates/certified-key.ts";
import { assertReadable, replacePrivateFile } from "../../store/files/private-file.ts";
import { isConstrainedTo } from "./name-constraints.ts";

const authorityLifeMs = 3650 * dayMs;
const leafLifeMs = 365 * dayMs;
const renewBeforeMs = 30 * dayMs;

export const loopbackNames = ["localhost", "127.0.0.1", "::1"] as const;

/** Overlap with its successor of an authority that lacks name constraints or a configured name [ms]. */
const replacementMs = 180 * dayMs;

/** Upcoming replacement of the authority. Clients must trust the successor, too, before `at`. */
export type AuthorityRenewal = { readonly at: Date; readonly successorPem: string };

export type TlsCredentials = {
  readonly key: string;
  /** Leaf, then the authority; during a renewal the authority's certificate is the one issued by its successor. */
  readonly cert: string;
  /** PEM file with the certificate of the authority and, during a renewal, of its successor. */
  readonly authorityPath: string;
  /** Certificate for the names that only the successor may certify. */
  readonly successor: { readonly names: readonly string[]; readonly key: string; readonly cert: string } | null;
  readonly renewal: AuthorityRenewal | null;
  /** Damaged, expired or dated in the future. Clients must trust the new authority before they can connect. */
  readonly isAuthorityReplaced: boolean;
};

/**
 * Returns the certificates of a data directory. Creates certificates that are missing, damaged, about to expire or lack
 * a configured name. An authority is kept while it may certify all names and outlives its leaves. Otherwise a successor
 * is created and published with it, and replaces it once clients have had time to trust the successor.
 *
 * @param hosts  configured names in addition to the loopback names
 */
export async function ensureTlsCredentials(
  dataDir: string,
  hosts: readonly string[],
  now: Date,
): Promise<TlsCredentials> {
  const folder = path.join(dataDir, "tls");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hadAuthority = existsSync(path.join(folder, "authority.pem"));
  const { present, next, at, isMade } = await ensureAuthorities(folder, hosts, now);
  const isPermitted = (name: string) =>
    !next || !isConstrainedTo(x509(present), []) || isConstrainedTo(x509(present), [name]);
  const names = [...new Set([...loopbackNames, ...hosts.filter(isPermitted)])];
  const leaf = await ensureLeaf(folder, "server", present, names, now);
  const others = next ? hosts.filter((name) => !isPermitted(name)) : [];
  const bridge = next ? (await (await certificates()).certifyPredecessor(next, present, hosts)).trim() : null;
  return {
    key: leaf.privateKeyPem,
    cert: [leaf.certificatePem.trim(), bridge ?? present.certificatePem.trim(), ""].join("\n"),
    authorityPath: path.join(folder, "authority.pem"),
    successor: next && others.length > 0 ? await successorLeaf(folder, next, others, now) : null,
    renewal: next && at ? { at, successorPem: next.certificatePem } : null,
    isAuthorityReplaced: isMade && hadAuthority,
  };
}

export function hasFutureCertificate(dataDir: string, now: Date): boolean {
  const folder = path.join(dataDir, "tls");
  return ["authority", "authority-next", "server", "server-next"].some((name) => {
    const found = readCertified(folder, name);
    return found !== null && x509(found).validFromDate > now;
  });
}

async function successorLeaf(folder: string, next: CertifiedKey, names: readonly string[], now: Date) {
  const leaf = await ensureLeaf(folder, "server-next", next, names, now);
  return { names, key: leaf.privateKeyPem, cert: `${leaf.certificatePem.trim()}\n${next.certificatePem.trim()}\n` };
}

type Authorities = {
  readonly present: CertifiedKey;
  readonly next: CertifiedKey | null;
  readonly at: Date | null;
  /** Whether the authority is new, without an overlap with one that clients trust. */
  readonly isMade: boolean;
};

async function ensureAuthorities(folder: string, hosts: readonly string[], now: Date): Promise<Authorities> {
  const waiting = readCertified(folder, "authority-next");
  // Completes a replacement of the authority that was interrupted.
  const present = readCertified(folder, "authority") ?? waiting;
  if (!present || !isCurrent(present, now, 0))
    return { present: await createAndStore(folder, "authority", hosts, now), next: null, at: null, isMade: true };
  const isMade = false;
  if (isCurrent(present, now, leafLifeMs) && isConstrainedTo(x509(present), hosts))
    return { present: publish(folder, present, null), next: null, at: null, isMade };
  const next =
    waiting && waiting !== present && isCurrent(waiting, now, 0) && isConstrainedTo(x509(waiting), hosts)
      ? waiting
      : await createAndStore(folder, "authority-next", hosts, now);
  const at = replacementAt(present, next);
  if (now < at) return { present: publish(folder, present, next), next, at, isMade };
  writeCertified(folder, "authority", next);
  for (const name of ["authority-next.key", "authority-next.pem"]) rmSync(path.join(folder, name), { force: true });
  return { present: next, next: null, at: null, isMade };
}

function replacementAt(present: CertifiedKey, next: CertifiedKey): Date {
  const endMs = x509(present).validToDate.getTime() - renewBeforeMs;
  const isExpiring = endMs - x509(next).validFromDate.getTime() < leafLifeMs;
  return new Date(isExpiring ? endMs : Math.min(endMs, x509(next).validFromDate.getTime() + replacementMs));
}

async function createAndStore(
  folder: string,
  name: string,
  hosts: readonly string[],
  now: Date,
): Promise<CertifiedKey> {
  const { makeAuthority } = await certificates();
  const until = new Date(now.getTime() + authorityLifeMs);
  const made = await makeAuthority(`Corvet local authority (${hostname()})`, hosts, now, until);
  writeCertified(folder, name, made);
  return made;
}

function publish(folder: string, present: CertifiedKey, next: CertifiedKey | null): CertifiedKey {
  const file = path.join(folder, "authority.pem");
  const text = [present, next].flatMap((one) => (one ? [`${one.certificatePem.trim()}\n`] : [])).join("");
  if (!existsSync(file) || readFileSync(file, "utf8").trim() !== text.trim()) replacePrivateFile(file, text, 0o644);
  return present;
}

async function ensureLeaf(
  folder: string,
  file: string,
  authority: CertifiedKey,
  names: readonly string[],
  now: Date,
): Promise<CertifiedKey> {
  const found = readCertified(folder, file);
  // A leaf cannot outlive its authority, so in the authority's last days the leaf is not renewed.
  const minLeftMs = Math.min(renewBeforeMs, x509(authority).validToDate.getTime() - now.getTime() - 1);
  if (found && isCurrent(found, now, minLeftMs) && isSignedBy(found, authority) && hasNames(found, names)) return found;
  const { makeLeaf } = await certificates();
  const until = Math.min(now.getTime() + leafLifeMs, x509(authority).validToDate.getTime());
  const made = await makeLeaf(authority, names, now, new Date(until));
  writeCertified(folder, file, made);
  return made;
}

/** Imported on demand: the library is large and needed about once a year. */
const certificates = () => import("./certificates.ts");

const x509 = ({ certificatePem }: CertifiedKey) => new X509Certificate(certificatePem);

function isCurrent({ certificatePem }: CertifiedKey, now: Date, minLeftMs: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificatePem);
  return validFromDate <= now && validToDate.getTime() - now.getTime() > minLeftMs;
}

function isSignedBy(leaf: CertifiedKey, authority: CertifiedKey): boolean {
  const issuer = new X509Certificate(authority.certificatePem);
  const certificate = new X509Certificate(leaf.certificatePem);
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function hasNames(leaf: CertifiedKey, names: readonly string[]): boolean {
  const certificate = new X509Certificate(leaf.certificatePem);
  const count = certificate.subjectAltName?.split(", ").length;
  if (count !== names.length) return false;
  return names.every(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

/** null if a file is missing or invalid. @throws SystemError if it cannot be read: replacing it would lose the trust */
function readCertified(folder: string, name: string): CertifiedKey | null {
  try {
    // The file may also contain the authority's successor, as its second certificate.
    const certificatePem = firstOf(readFileSync(path.join(folder, `${name}.pem`), "utf8"));
    const privateKeyPem = readFileSync(path.join(folder, `${name}.key`), "utf8");
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem))
      ? { certificatePem, privateKeyPem }
      : null;
  } catch (error) {
    assertReadable(error);
    return null;
  }
}

function firstOf(pem: string): string {
  const end = "-----END CERTIFICATE-----";
  return `${pem.slice(0, pem.indexOf(end) + end.length)}\n`;
}

function writeCertified(folder: string, name: string, { certificatePem, privateKeyPem }: CertifiedKey): void {
  replacePrivateFile(path.join(folder, `${name}.key`), privateKeyPem);
  replacePrivateFile(path.join(folder, `${name}.pem`), certificatePem, 0o644);
}
