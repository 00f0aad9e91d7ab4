import type { SendFailure, SendProgress } from "../../../core/contract/desktop/network/dicom.ts";
import type { CertifiedKey } from "../../certificates/certified-key.ts";
import type { ReferredObject } from "./commitment/storage-commitment.ts";
import type { NetworkLimits } from "./network-limits.ts";
import type {
  FetchAnswer,
  FetchMessage,
  FindAnswer,
  Identifier,
  modalityWorklist,
  studyRoot,
  WorklistIdentifier,
} from "./query/query-calls.ts";
import type { ReachedPeer } from "./secure-socket.ts";

export type WebSignIn =
  | { readonly kind: "none" }
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | { readonly kind: "bearer"; readonly token: string };

export type ReachedWeb = {
  readonly url: string;
  readonly signIn: WebSignIn;
  readonly trusted: string;
  readonly own: CertifiedKey | null;
};

export type ReachedNode = ({ readonly kind: "dimse" } & ReachedPeer) | ({ readonly kind: "web" } & ReachedWeb);

export type NodeJob<Node> = { readonly node: Node; readonly aeTitle: string; readonly limits: NetworkLimits };

export type FindJob<Node> = NodeJob<Node> & {
  readonly model: typeof studyRoot.find | typeof modalityWorklist;
  readonly identifier: WorklistIdentifier;
  readonly maxMatches: number;
};

/** A retrieval: by WADO-RS, by C-GET if the peer supports it, else by C-MOVE to our receiver. */
export type FetchJob<Node> = NodeJob<Node> & {
  readonly identifier: Identifier;
  readonly folder: string;
  /** AE title of our receiver; null if it is off, which leaves only C-GET */
  readonly destinationAeTitle: string | null;
};

/** Files to send; without any, a DIMSE node only receives C-ECHO. */
export type SendJob<Node> = NodeJob<Node> & { readonly files: readonly Uint8Array[] };

/** `failure` is null if the node has stored all objects except those in `leftOut` (SOP Instance UIDs). */
export type SendAnswer = { readonly failure: SendFailure | null; readonly leftOut: readonly string[] };

/** Calls of a thread for one protocol; each thread serves one call. */
export type NodeCalls<Node = ReachedNode> = {
  readonly find: { readonly request: FindJob<Node>; readonly answer: FindAnswer; readonly progress: never };
  readonly fetch: { readonly request: FetchJob<Node>; readonly answer: FetchAnswer; readonly progress: FetchMessage };
  readonly send: { readonly request: SendJob<Node>; readonly answer: SendAnswer; readonly progress: SendProgress };
};

export type CommitmentJob = NodeJob<ReachedPeer> & {
  readonly transactionUid: string;
  readonly objects: readonly ReferredObject[];
  /** Folder to which the report is written before it is acknowledged. */
  readonly folder: string;
  /** Waiting time for the report on the same association [ms]. */
  readonly waitMs: number;
};

/** `reportFile` is the name of the report; null if the report follows on a separate association. */
export type CommitmentAnswer = { readonly reportFile: string | null; readonly failure: SendFailure | null };

export type DimseCalls = NodeCalls<ReachedPeer> & {
  readonly commit: { readonly request: CommitmentJob; readonly answer: CommitmentAnswer; readonly progress: never };
};
