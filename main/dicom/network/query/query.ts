import type { DicomPeer, SendFailure } from "../../../../core/contract/desktop/dicom.ts";
import { startThread, threadFile, ThreadEnded } from "../../../workers/start-thread.ts";
import { networkLimits, type NetworkLimits } from "../network-limits.ts";
import type { FetchAnswer, FetchMessage, FindAnswer, Identifier, QueryCalls } from "./query-calls.ts";

type QueryOptions = { readonly aeTitle: string; readonly signal?: AbortSignal; readonly limits?: NetworkLimits };

/** More studies are not shown; whoever finds more asks for less. */
export const mostMatches = 500;
/** A match is a few lines of text [bytes]. */
const longestMatchBytes = 256 * 1024;
const memory = { maxOldGenerationSizeMb: 256 } as const;

/** Asks a PACS by C-FIND, study root. What goes wrong is said in the answer, beside what was found until then. */
export async function findStudies(
  peer: DicomPeer,
  identifier: Identifier,
  { aeTitle, signal, limits = networkLimits }: QueryOptions,
): Promise<FindAnswer> {
  const job = { peer, aeTitle, identifier, mostMatches, limits: { ...limits, objectBytes: longestMatchBytes } };
  return (await inThread("find", job, signal)) ?? { matches: [], isCutOff: false, failure: lost(signal) };
}

/** What goes with a fetching. */
export type FetchOptions = QueryOptions & {
  readonly folder: string;
  readonly destinationAeTitle: string | null;
  readonly onMessage: (message: FetchMessage) => void;
};

/** Has a PACS send a study or one film: by C-GET where it offers that, else by C-MOVE to our own receiver. */
export async function fetchObjects(
  peer: DicomPeer,
  identifier: Identifier,
  { aeTitle, signal, limits = networkLimits, folder, destinationAeTitle, onMessage }: FetchOptions,
): Promise<FetchAnswer> {
  let counts = { fetchedObjects: 0, failedObjects: 0, objects: null as number | null };
  const hear = (message: FetchMessage) => {
    if (message.kind === "progress") counts = message.progress;
    onMessage(message);
  };
  const job = { peer, aeTitle, identifier, limits, folder, destinationAeTitle };
  const answer = await inThread("fetch", job, signal, hear);
  return answer ?? { ...counts, failure: lost(signal) };
}

/** null where the thread ended before it answered. */
async function inThread<Name extends keyof QueryCalls & string>(
  name: Name,
  job: QueryCalls[Name]["request"],
  signal: AbortSignal | undefined,
  onProgress?: (told: QueryCalls[Name]["progress"]) => void,
): Promise<QueryCalls[Name]["answer"] | null> {
  if (signal?.aborted) return null;
  const thread = startThread<QueryCalls>(threadFile("query-thread", import.meta.url), {
    limits: memory,
    isSilent: true,
  });
  const cancel = () => void thread.terminate();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await thread.call(name, job, { ...(onProgress && { onProgress }) });
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return null;
  } finally {
    signal?.removeEventListener("abort", cancel);
    void thread.close();
  }
}

function lost(signal: AbortSignal | undefined): SendFailure {
  return { reason: signal?.aborted ? "cancelled" : "connection-lost", detail: "" };
}
