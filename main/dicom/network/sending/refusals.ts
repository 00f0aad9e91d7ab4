import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import { constants } from "../dimse.ts";

/** Codes of OpenSSL and Node for a certificate that is not taken. */
const doubts = /^(?!ERR_SSL).*(CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME)/;

/** Whether the other side, or OpenSSL, ended the encryption. */
export function isTlsRefusal(code: string): boolean {
  return /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code);
}

type Refusal = { readonly source: number; readonly reason: number };

/** What the rejection of an association means to whoever set it up. */
export function failureOfRejection({ source, reason }: Refusal): SendFailure {
  const { RejectReason, RejectSource } = constants;
  const detail = `${source}/${reason}`;
  if (source !== RejectSource.ServiceUser) return { reason: "association-refused", detail };
  if (reason === RejectReason.CalledAeNotRecognized) return { reason: "called-ae-refused", detail };
  return {
    reason: reason === RejectReason.CallingAeNotRecognized ? "calling-ae-refused" : "association-refused",
    detail,
  };
}

/** Why no connection came about. */
export function failureOfSocket({ code = "" }: NodeJS.ErrnoException): SendFailure {
  if (doubts.test(code)) return { reason: "certificate-doubted", detail: code };
  if (isTlsRefusal(code)) return { reason: "tls-refused", detail: code };
  return { reason: code === "ENOTFOUND" || code === "EAI_AGAIN" ? "unknown-host" : "unreachable", detail: code };
}
