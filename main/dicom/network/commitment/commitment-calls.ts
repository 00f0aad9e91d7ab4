import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { ReachedPeer } from "../secure-socket.ts";

/** Storage Commitment Push Model SOP class and its well-known instance. @see DICOM PS3.4 annex J */
export const storageCommitment = { uid: "1.2.840.10008.1.20.1", instanceUid: "1.2.840.10008.1.20.1.1" } as const;

export type ReferredObject = { readonly sopClassUid: string; readonly sopInstanceUid: string };

export type CommitmentReport = {
  readonly transactionUid: string;
  readonly kept: readonly string[];
  readonly failed: readonly { readonly sopInstanceUid: string; readonly reason: string }[];
};

export type CommitmentJob = {
  readonly peer: ReachedPeer;
  readonly aeTitle: string;
  readonly limits: NetworkLimits;
  readonly transactionUid: string;
  readonly objects: readonly ReferredObject[];
  /** Folder to which the report is written before it is acknowledged. */
  readonly folder: string;
  /** Waiting time for the report on the same association [ms]. */
  readonly waitMs: number;
};

/** `reportFile` is the name of the report; null if the report follows on a separate association. */
export type CommitmentAnswer = { readonly reportFile: string | null; readonly failure: SendFailure | null };

/** Calls of a commitment thread; each thread serves one call. */
export type CommitmentCalls = {
  readonly commit: { readonly request: CommitmentJob; readonly answer: CommitmentAnswer; readonly progress: never };
};
