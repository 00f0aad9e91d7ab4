import { X509Certificate } from "node:crypto";
import { connect, isIP, type Socket } from "node:net";
import {
  checkServerIdentity,
  connect as connectTls,
  type ConnectionOptions,
  type SecureContextOptions,
} from "node:tls";
import { AppError, because } from "../../../core/app-error.ts";
import type { SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import type { CertifiedKey } from "../../certificates/certified-key.ts";
import { systemCertificates } from "../../certificates/system-certificates.ts";
import { failureOfSocket } from "./sending/refusals.ts";

export type Encryption = {
  /** Trusted certificates, PEM; "" for those of the system. */
  readonly trusted: string;
  readonly own: CertifiedKey | null;
};

export type ReachedPeer = {
  readonly host: string;
  readonly port: number;
  readonly aeTitle: string;
  readonly encryption: Encryption | null;
};

/** BCP 195: TLS 1.2 with ephemeral keys and authenticated ciphers, or 1.3. @see DICOM PS3.15 B.9 and RFC 9325 */
export const tlsRules = {
  minVersion: "TLSv1.2",
  ciphers: [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
  ].join(":"),
  honorCipherOrder: true,
} as const satisfies SecureContextOptions;

export function tlsOptions({ trusted, own }: Encryption, host: string): ConnectionOptions {
  return {
    ...tlsRules,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ca: trusted === "" ? systemCertificates() : trusted,
    ...(own && { cert: own.certificatePem, key: own.privateKeyPem }),
    checkServerIdentity: (name, certificate) =>
      // A certificate that the user trusts explicitly is valid under any host name.
      isOneOf(certificate.raw, trusted) ? undefined : checkServerIdentity(name, certificate),
  };
}

export function openSocket(
  { host, port, encryption }: Omit<ReachedPeer, "aeTitle">,
  timeoutMs: number,
): Promise<Socket | SendFailure> {
  return new Promise((resolve) => {
    const socket = encryption ? connectTls({ ...tlsOptions(encryption, host), port }) : connect({ host, port });
    const end = (outcome: Socket | SendFailure) => {
      clearTimeout(deadline);
      // The connection may be reset before the caller listens; without a listener, that would end the program.
      socket.removeAllListeners("error").on("error", () => undefined);
      if (outcome !== socket) socket.destroy();
      resolve(outcome);
    };
    const deadline = setTimeout(() => end({ reason: "no-answer", detail: "" }), timeoutMs);
    socket.once("error", (error) => end(failureOfSocket(error)));
    socket.once("close", () => end({ reason: encryption ? "tls-refused" : "connection-lost", detail: "" }));
    socket.once(encryption ? "secureConnect" : "connect", () => {
      socket.removeAllListeners("close");
      end(socket);
    });
  });
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function certificatesOf(text: string): string[] {
  return text.match(certificateBlock) ?? [];
}

/** Checks certificates (PEM), since TLS ignores damaged and cut ones. @throws AppError INVALID_FIELD */
export function requireCertificates(text: string): void {
  const certificates = certificatesOf(text);
  const isCut = /-----(BEGIN|END) [A-Z0-9 ]*CERTIFICATE/.test(text.replaceAll(certificateBlock, ""));
  const isNone = text.trim() !== "" && certificates.length === 0;
  if (isNone || isCut || certificates.some((pem) => parsed(pem) === null))
    throw new AppError("INVALID_FIELD", because("certificatesUnreadable"));
}

function isOneOf(certificate: Buffer, trusted: string): boolean {
  return certificatesOf(trusted).some((pem) => parsed(pem)?.raw.equals(certificate));
}

function parsed(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
