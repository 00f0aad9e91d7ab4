import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { ReachedPeer } from "../secure-socket.ts";

export type SentObject = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly dataSet: Uint8Array;
};

/** Job of the sender thread; without objects it only sends C-ECHO. */
export type SendJob = {
  readonly peer: ReachedPeer;
  readonly aeTitle: string;
  readonly objects: readonly SentObject[];
  readonly limits: NetworkLimits;
};

/** `failure` is null if the peer has stored all objects except those in `leftOut` (SOP Instance UIDs). */
export type SendAnswer = { readonly failure: SendFailure | null; readonly leftOut: readonly string[] };

export type SenderCalls = {
  readonly send: {
    readonly request: SendJob;
    readonly answer: SendAnswer;
    readonly progress: SendProgress;
  };
};
