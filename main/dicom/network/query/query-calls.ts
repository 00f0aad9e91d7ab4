import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { ReachedPeer } from "../secure-socket.ts";

/** Study Root. @see DICOM PS3.4 C.6.2 */
export const studyRoot = {
  find: "1.2.840.10008.5.1.4.1.2.2.1",
  move: "1.2.840.10008.5.1.4.1.2.2.2",
  get: "1.2.840.10008.5.1.4.1.2.2.3",
} as const;

/** Modality Worklist. @see DICOM PS3.4 annex K */
export const modalityWorklist = "1.2.840.10008.5.1.4.31";

export type Identifier = Readonly<Record<string, string>>;
/** The same with sequences, whose single item is matched in the same way; an empty sequence requests the value. */
export type WorklistIdentifier = Readonly<Record<string, string | readonly Identifier[]>>;

/**
 * A match in plain data: the first value of each element, or several of it. Elements of a scheduled step are at the
 * same level as those of its procedure.
 */
export type Match = Readonly<Record<string, string | readonly string[]>>;

type Job = { readonly peer: ReachedPeer; readonly aeTitle: string; readonly limits: NetworkLimits };

/** A search that ends after `mostMatches` matches. */
export type FindJob = Job & {
  readonly model: typeof studyRoot.find | typeof modalityWorklist;
  readonly identifier: WorklistIdentifier;
  readonly mostMatches: number;
};

/** A retrieval: on the same association if the peer supports it, else to a listening receiver. */
export type FetchJob = Job & {
  readonly identifier: Identifier;
  /** In which objects of the same association are put. */
  readonly folder: string;
  /** null without a receiver of ours: then the same association is the only way. */
  readonly destinationAeTitle: string | null;
};

export type FindAnswer = {
  readonly matches: readonly Match[];
  readonly isCutOff: boolean;
  readonly failure: SendFailure | null;
};
export type FetchAnswer = FetchProgress & { readonly failure: SendFailure | null };

export type FetchMessage =
  | { readonly kind: "progress"; readonly progress: FetchProgress }
  | { readonly kind: "received"; readonly fileName: string };

/** Calls of a query thread; each thread serves one call. */
export type QueryCalls = {
  readonly find: { readonly request: FindJob; readonly answer: FindAnswer; readonly progress: never };
  readonly fetch: { readonly request: FetchJob; readonly answer: FetchAnswer; readonly progress: FetchMessage };
};
