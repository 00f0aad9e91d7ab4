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
/** Identifier with sequences, whose single item is matched likewise; an empty sequence requests the value. */
export type WorklistIdentifier = Readonly<Record<string, string | readonly Identifier[]>>;

/**
 * A match as plain data: one value or several for each element. Elements of the scheduled procedure step are at the
 * same level as the others.
 */
export type Match = Readonly<Record<string, string | readonly string[]>>;

type Job = { readonly peer: ReachedPeer; readonly aeTitle: string; readonly limits: NetworkLimits };

/** A search that ends after `maxMatches` matches. */
export type FindJob = Job & {
  readonly model: typeof studyRoot.find | typeof modalityWorklist;
  readonly identifier: WorklistIdentifier;
  readonly maxMatches: number;
};

/** A retrieval by C-GET on the same association if the peer supports it, else by C-MOVE to our receiver. */
export type FetchJob = Job & {
  readonly identifier: Identifier;
  /** Folder for objects received on the same association. */
  readonly folder: string;
  /** AE title of our receiver; null if it is off, which leaves only C-GET */
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
