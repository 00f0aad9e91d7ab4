import { threadFile } from "../../../workers/start-thread.ts";
import { inThread, threadFailure } from "../in-thread.ts";
import { networkLimits, type NetworkLimits } from "../network-limits.ts";
import {
  modalityWorklist,
  studyRoot,
  type FetchAnswer,
  type FetchMessage,
  type FindAnswer,
  type FindJob,
  type Identifier,
  type QueryCalls,
  type WorklistIdentifier,
} from "./query-calls.ts";
import type { ReachedPeer } from "../secure-socket.ts";

export type QueryOptions = { readonly aeTitle: string; readonly signal?: AbortSignal; readonly limits?: NetworkLimits };

/** Maximum number of studies or orders shown; a larger result needs a narrower search. */
export const maxMatches = 500;
/** Maximum size of a match, usually a few lines of text [bytes]. */
const maxMatchBytes = 256 * 1024;
const memoryMb = 256;
const file = threadFile("query-thread", import.meta.url);

/**
 * Searches a PACS by C-FIND, study root. The result contains any failure, together with the matches found before it.
 */
export function findStudies(peer: ReachedPeer, identifier: Identifier, options: QueryOptions): Promise<FindAnswer> {
  return find(peer, studyRoot.find, identifier, options);
}

export function findSteps(
  peer: ReachedPeer,
  identifier: WorklistIdentifier,
  options: QueryOptions,
): Promise<FindAnswer> {
  return find(peer, modalityWorklist, identifier, options);
}

async function find(
  peer: ReachedPeer,
  model: FindJob["model"],
  identifier: WorklistIdentifier,
  { aeTitle, signal, limits = networkLimits }: QueryOptions,
): Promise<FindAnswer> {
  const job = {
    peer,
    aeTitle,
    model,
    identifier,
    maxMatches,
    limits: { ...limits, objectBytes: maxMatchBytes },
  };
  const answer = await inThread<QueryCalls, "find">(file, "find", job, { memoryMb, signal });
  return answer ?? { matches: [], isCutOff: false, failure: threadFailure(signal) };
}

export type FetchOptions = QueryOptions & {
  readonly folder: string;
  readonly destinationAeTitle: string | null;
  readonly onMessage: (message: FetchMessage) => void;
};

/** Retrieves a study or one film from a PACS: by C-GET if supported, else by C-MOVE to our receiver. */
export async function fetchObjects(
  peer: ReachedPeer,
  identifier: Identifier,
  { aeTitle, signal, limits = networkLimits, folder, destinationAeTitle, onMessage }: FetchOptions,
): Promise<FetchAnswer> {
  let counts = { fetchedObjects: 0, failedObjects: 0, objects: null as number | null };
  const onProgress = (message: FetchMessage) => {
    if (message.kind === "progress") counts = message.progress;
    onMessage(message);
  };
  // An archive may send nothing while it moves a study; the idle timeout would cancel the move.
  const fetchLimits: NetworkLimits = { ...limits, idleMs: limits.messageMs };
  const job = { peer, aeTitle, identifier, limits: fetchLimits, folder, destinationAeTitle };
  const answer = await inThread<QueryCalls, "fetch">(file, "fetch", job, {
    ...{ memoryMb, signal, folder },
    onProgress,
  });
  return answer ?? { ...counts, failure: threadFailure(signal) };
}
