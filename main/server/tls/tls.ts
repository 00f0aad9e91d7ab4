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
/** A leaf is replaced when it has less than this left [ms]. */
const renewBeforeMs = 30 * dayMs;

/** Names under which the service always answers. */
export const loopbackNames = ["localhost", "127.0.0.1", "::1"] as const;

/** Overlap of an authority without constraints, or without a new name, with its successor [ms]. */
const handOverMs = 180 * dayMs;

/** An authority that is about to be replaced: clients have until then to trust its successor, too. */
export type AuthorityRenewal = { readonly at: Date; readonly successorPem: string };

export type TlsCredentials = {
  readonly key: string;
  /** Leaf and authority; while a renewal is under way, the authority as its successor certifies it, too. */
  readonly cert: string;
  /** Public parts of the authority and, while a renewal is under way, of its successor. */
  readonly authorityPath: string;
  /** For names that only the successor may certify. */
  readonly successor: { readonly names: readonly string[]; readonly key: string; readonly cert: string } | null;
  readonly renewal: AuthorityRenewal | null;
  /**
   * The authority was damaged, had expired or was dated later than the clock: clients have to trust the new one before
   * they can connect.
   */
  readonly isAuthorityReplaced: boolean;
};

/**
 * Returns the certificates of a data directory and creates those that are missing, damaged, about to expire or without
 * a configured name. An authority is kept while it may certify all names and outlives its leaves. Before that ends, a
 * successor is created and published with it; it is used once all clients have had time to trust it.
 *
 * @param hosts  configured names besides the loopback ones
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

/** Whether a certificate of a data directory was made under a clock that was ahead of this time. */
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
  /** Without a hand-over from an authority that clients trust. */
  readonly isMade: boolean;
};

async function ensureAuthorities(folder: string, hosts: readonly string[], now: Date): Promise<Authorities> {
  const waiting = readCertified(folder, "authority-next");
  // Completes a change of authorities that was interrupted by a kill.
  const present = readCertified(folder, "authority") ?? waiting;
  if (!present || !isCurrent(present, now, 0))
    return { present: await makeAndKeep(folder, "authority", hosts, now), next: null, at: null, isMade: true };
  const isMade = false;
  if (isCurrent(present, now, leafLifeMs) && isConstrainedTo(x509(present), hosts))
    return { present: publish(folder, present, null), next: null, at: null, isMade };
  const next =
    waiting && waiting !== present && isCurrent(waiting, now, 0) && isConstrainedTo(x509(waiting), hosts)
      ? waiting
      : await makeAndKeep(folder, "authority-next", hosts, now);
  const at = handOverAt(present, next);
  if (now < at) return { present: publish(folder, present, next), next, at, isMade };
  writeCertified(folder, "authority", next);
  for (const name of ["authority-next.key", "authority-next.pem"]) rmSync(path.join(folder, name), { force: true });
  return { present: next, next: null, at: null, isMade };
}

/** Clients have half a year, and never longer than the present authority lasts beyond a leaf's renewal. */
function handOverAt(present: CertifiedKey, next: CertifiedKey): Date {
  const endMs = x509(present).validToDate.getTime() - renewBeforeMs;
  const isExpiring = endMs - x509(next).validFromDate.getTime() < leafLifeMs;
  return new Date(isExpiring ? endMs : Math.min(endMs, x509(next).validFromDate.getTime() + handOverMs));
}

async function makeAndKeep(folder: string, name: string, hosts: readonly string[], now: Date): Promise<CertifiedKey> {
  const { makeAuthority } = await certificates();
  const until = new Date(now.getTime() + authorityLifeMs);
  const made = await makeAuthority(`Corvet local authority (${hostname()})`, hosts, now, until);
  writeCertified(folder, name, made);
  return made;
}

/** The file for clients holds every authority that they should trust. */
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
  // A leaf cannot outlast its authority: in the last days it is kept unchanged.
  const leastLeftMs = Math.min(renewBeforeMs, x509(authority).validToDate.getTime() - now.getTime() - 1);
  if (found && isCurrent(found, now, leastLeftMs) && isSignedBy(found, authority) && hasNames(found, names))
    return found;
  const { makeLeaf } = await certificates();
  const until = Math.min(now.getTime() + leafLifeMs, x509(authority).validToDate.getTime());
  const made = await makeLeaf(authority, names, now, new Date(until));
  writeCertified(folder, file, made);
  return made;
}

/** The library is large and needed once a year: a start without it is quicker. */
const certificates = () => import("./certificates.ts");

const x509 = ({ certificatePem }: CertifiedKey) => new X509Certificate(certificatePem);

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
  const count = certificate.subjectAltName?.split(", ").length;
  if (count !== names.length) return false;
  return names.every(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

/**
 * null if a file is missing or unusable: the certificate is then created again.
 *
 * @throws SystemError if a file exists and cannot be read: clients would no longer trust a new authority
 */
function readCertified(folder: string, name: string): CertifiedKey | null {
  try {
    // The first certificate: the file may also contain the authority's successor.
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
