import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import type { OwnCertificate } from "../../../core/contract/desktop/network/dicom.ts";
import type { CertifiedKey } from "../../certificates/certified-key.ts";
import { certificatesOf, requireCertificates } from "../../dicom/network/secure-socket.ts";
import type { ReadableDb } from "../../store/database.ts";
import { getSetting, saveSetting, type Setting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";

const certificateSetting: Setting<string> = {
  key: "dicomCertificate",
  schema: z.string(),
  fallback: "",
  audit: "receiver.configured",
};
const keyName = "dicomCertificateKey";
const validYears = 10;

export async function getOwnCertificate(db: ReadableDb): Promise<OwnCertificate | null> {
  const pem = await getSetting(db, certificateSetting);
  const [first] = certificatesOf(pem);
  if (first === undefined) return null;
  const certificate = new X509Certificate(first);
  return {
    subject: certificate.subject.replaceAll("\n", ", "),
    until: certificate.validToDate.toISOString(),
    fingerprint: createHash("sha256").update(certificate.raw).digest("hex"),
    pem: certificatesOf(pem).join("\n"),
  };
}

/** Returns null if either part is missing, such as a key in another key store. */
export async function ownCertifiedKey({
  db,
  secrets,
}: Pick<DesktopContext, "db" | "secrets">): Promise<CertifiedKey | null> {
  const certificatePem = await getSetting(db, certificateSetting);
  const privateKeyPem = certificatePem === "" ? null : secrets.get(keyName);
  return privateKeyPem === null ? null : { certificatePem, privateKeyPem };
}

/**
 * @param pem  this program's certificate first, then its chain and the key; null to create a pair
 *
 * @throws AppError INVALID_FIELD if certificate and key do not match
 */
export async function saveOwnCertificate(
  { db, secrets, now }: Pick<DesktopContext, "db" | "secrets" | "now">,
  pem: string | null,
): Promise<OwnCertificate | null> {
  const pair = pem === null ? await madeNow(now()) : parseCertifiedKey(pem);
  const before = secrets.get(keyName);
  // Store the key first, since a certificate without its key would be shown but unusable.
  secrets.keep(keyName, pair.privateKeyPem);
  try {
    await saveSetting(db, certificateSetting, pair.certificatePem);
  } catch (error) {
    // The current certificate needs its own key.
    if (before === null) secrets.forget(keyName);
    else secrets.keep(keyName, before);
    throw error;
  }
  return getOwnCertificate(db);
}

/** The library is large and used once in ten years. */
async function madeNow(now: Date): Promise<CertifiedKey> {
  const { makeOwnCertificate } = await import("../../dicom/network/certificates/make-certificate.ts");
  const until = new Date(now);
  until.setUTCFullYear(until.getUTCFullYear() + validYears);
  return makeOwnCertificate(hostname(), now, until);
}

/** @throws AppError INVALID_FIELD */
export function parseCertifiedKey(text: string): CertifiedKey {
  const certificates = certificatesOf(text);
  if (certificates.length > 0) requireCertificates(text);
  const [privateKeyPem] = text.match(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----/) ?? [];
  const [first] = certificates;
  try {
    if (first !== undefined && privateKeyPem !== undefined) {
      if (new X509Certificate(first).checkPrivateKey(createPrivateKey(privateKeyPem)))
        return { certificatePem: certificates.join("\n"), privateKeyPem };
    }
  } catch {
    // Unreadable parts are refused below.
  }
  throw new AppError("INVALID_FIELD", because("certificateAndKey"));
}
