import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { ReachedPeer } from "../secure-socket.ts";

export type SentObject = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly dataSet: Uint8Array;
};

/** Job of the thread: send objects, or only C-ECHO (none). */
export type SendJob = {
  readonly peer: ReachedPeer;
  readonly aeTitle: string;
  readonly objects: readonly SentObject[];
  readonly limits: NetworkLimits;
};

/** `failure` is null when the peer has stored everything except `leftOut`, by SOP Instance UID. */
export type SendAnswer = { readonly failure: SendFailure | null; readonly leftOut: readonly string[] };

export type SenderCalls = {
  readonly send: {
    readonly request: SendJob;
    readonly answer: SendAnswer;
    readonly progress: SendProgress;
  };
};
