import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import { constants } from "../dimse.ts";

/** Minimum PDU size of a peer; with smaller PDUs the library would never finish. */
const smallestPduBytes = 1024;

type Refusal = { readonly source: number; readonly reason: number };

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

/** Failure if the peer's longest PDU (0 for any length) is too small to be served. */
export function failureOfPdu(longestPduBytes: number): SendFailure | null {
  const isServed = longestPduBytes === 0 || longestPduBytes >= smallestPduBytes;
  return isServed ? null : { reason: "connection-lost", detail: `PDU ${longestPduBytes}` };
}
