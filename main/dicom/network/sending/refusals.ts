import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";

/** Error codes of OpenSSL and Node for a rejected certificate. */
const doubts = /^(?!ERR_SSL).*(CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME)/;

export function isTlsRefusal(code: string): boolean {
  return /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code);
}

export function failureOfSocket({ code = "" }: NodeJS.ErrnoException): SendFailure {
  if (doubts.test(code)) return { reason: "certificate-doubted", detail: code };
  if (isTlsRefusal(code)) return { reason: "tls-refused", detail: code };
  return { reason: code === "ENOTFOUND" || code === "EAI_AGAIN" ? "unknown-host" : "unreachable", detail: code };
}
