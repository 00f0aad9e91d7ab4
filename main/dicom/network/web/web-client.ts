import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import { threadFile } from "../../../workers/start-thread.ts";
import { readDicomFile } from "../../dicom-file.ts";
import { inThread, threadFailure } from "../in-thread.ts";
import { networkLimits } from "../network-limits.ts";
import type { FetchAnswer, FindAnswer, Identifier } from "../query/query-calls.ts";
import { maxMatches, type FetchOptions, type QueryOptions } from "../query/query.ts";
import type { SendOptions } from "../sending/sender.ts";
import type { ReachedWeb, WebCalls } from "./web-calls.ts";

const file = threadFile("web-thread", import.meta.url);
const memoryMb = 256;

/** Searches by QIDO-RS. The result contains any failure, together with the matches found before it. */
export async function findStudiesOnWeb(
  web: ReachedWeb,
  identifier: Identifier,
  { signal, limits = networkLimits, most = maxMatches }: Omit<QueryOptions, "aeTitle"> & { readonly most?: number },
): Promise<FindAnswer> {
  const job = { web, limits, identifier, maxMatches: most };
  const answer = await inThread<WebCalls, "find">(file, "find", job, { memoryMb, signal });
  return answer ?? { matches: [], isCutOff: false, failure: threadFailure(signal) };
}

/** Fetches a study or one film by WADO-RS. */
export async function fetchObjectsFromWeb(
  web: ReachedWeb,
  identifier: Identifier,
  { signal, limits = networkLimits, folder, onMessage }: Omit<FetchOptions, "aeTitle" | "destinationAeTitle">,
): Promise<FetchAnswer> {
  let counts = { fetchedObjects: 0, failedObjects: 0, objects: null as number | null };
  const onProgress = (message: WebCalls["fetch"]["progress"]) => {
    if (message.kind === "progress") counts = message.progress;
    onMessage(message);
  };
  const job = { web, limits, identifier, folder };
  const answer = await inThread<WebCalls, "fetch">(file, "fetch", job, { memoryMb, signal, onProgress, folder });
  return answer ?? { ...counts, failure: threadFailure(signal) };
}

/**
 * Stores DICOM files by STOW-RS.
 *
 * @returns null if the server has confirmed all files, else the failure
 * @throws AppError INVALID_DICOM for a file that is not DICOM
 */
export async function storeOnWeb(
  web: ReachedWeb,
  files: readonly Uint8Array[],
  { signal, limits = networkLimits, onProgress }: Omit<SendOptions, "aeTitle">,
): Promise<SendFailure | null> {
  const job = {
    ...{ web, limits },
    files: files.map((bytes) => ({ bytes, sopInstanceUid: readDicomFile(bytes).text("00080018") ?? "" })),
  };
  const answer = await inThread<WebCalls, "store">(file, "store", job, { memoryMb: 512, signal, onProgress });
  return answer ? answer.failure : threadFailure(signal);
}
