import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import { constants } from "../dimse.ts";

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
