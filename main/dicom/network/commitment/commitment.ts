import { threadFile } from "../../../workers/start-thread.ts";
import { inThread, threadFailure } from "../in-thread.ts";
import { networkLimits } from "../network-limits.ts";
import type { ReachedPeer } from "../secure-socket.ts";
import type { CommitmentAnswer, CommitmentCalls, ReferredObject } from "./commitment-calls.ts";

export type CommitmentOptions = {
  readonly aeTitle: string;
  readonly transactionUid: string;
  readonly folder: string;
  readonly waitMs: number;
  readonly signal?: AbortSignal;
};

const memoryMb = 256;
/** Maximum size of a report, which lists UIDs [bytes]. */
const maxReportBytes = 1024 * 1024;
const file = threadFile("commitment-thread", import.meta.url);

/** Requests storage commitment for sent objects (N-ACTION). The result contains any failure. */
export async function sendCommitmentRequest(
  peer: ReachedPeer,
  objects: readonly ReferredObject[],
  { aeTitle, transactionUid, folder, waitMs, signal }: CommitmentOptions,
): Promise<CommitmentAnswer> {
  const limits = { ...networkLimits, objectBytes: maxReportBytes };
  const job = { peer, aeTitle, objects, transactionUid, folder, waitMs, limits };
  const answer = await inThread<CommitmentCalls, "commit">(file, "commit", job, { memoryMb, signal, folder });
  return answer ?? { reportFile: null, failure: threadFailure(signal) };
}
