import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { ReachedPeer } from "../secure-socket.ts";

/** Storage Commitment Push Model and its one instance. @see DICOM PS3.4 annex J */
export const storageCommitment = { uid: "1.2.840.10008.1.20.1", instanceUid: "1.2.840.10008.1.20.1.1" } as const;

/** An object that is referred to. */
export type ReferredObject = { readonly sopClassUid: string; readonly sopInstanceUid: string };

/** What a node says about objects that it was asked to keep. */
export type CommitmentReport = {
  readonly transactionUid: string;
  /** Instance UIDs for whose safekeeping it answers. */
  readonly kept: readonly string[];
  readonly failed: readonly { readonly sopInstanceUid: string; readonly reason: string }[];
};

/** A node is asked to answer for objects that it was sent. */
export type CommitmentJob = {
  readonly peer: ReachedPeer;
  readonly aeTitle: string;
  readonly limits: NetworkLimits;
  readonly transactionUid: string;
  readonly objects: readonly ReferredObject[];
  /** In which its answer is put before it is acknowledged. */
  readonly folder: string;
  /** How long its answer is waited for over the same association [ms]. */
  readonly waitMs: number;
};

/** `reportFile`: its name; null: accepted, and the answer comes over an association of its own. */
export type CommitmentAnswer = { readonly reportFile: string | null; readonly failure: SendFailure | null };

/** What a thread for commitments does; each serves one call and ends. */
export type CommitmentCalls = {
  readonly commit: { readonly request: CommitmentJob; readonly answer: CommitmentAnswer; readonly progress: never };
};
