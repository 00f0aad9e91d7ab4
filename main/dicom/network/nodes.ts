import type { SendFailure, SendProgress } from "../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../core/contract/desktop/network/pacs.ts";
import { threadFile } from "../../workers/start-thread.ts";
import type { ReferredObject } from "./commitment/storage-commitment.ts";
import { inThread, threadFailure } from "./in-thread.ts";
import { networkLimits, type NetworkLimits } from "./network-limits.ts";
import type { CommitmentAnswer, DimseCalls, FindJob, NodeCalls, ReachedNode, SendAnswer } from "./node-calls.ts";
import {
  modalityWorklist,
  studyRoot,
  type FetchAnswer,
  type FetchMessage,
  type FindAnswer,
  type Identifier,
  type WorklistIdentifier,
} from "./query/query-calls.ts";
import type { ReachedPeer } from "./secure-socket.ts";

export type { ReachedNode } from "./node-calls.ts";

export type NodeOptions = { readonly aeTitle: string; readonly signal?: AbortSignal; readonly limits?: NetworkLimits };

const threads = {
  dimse: threadFile("dimse-thread", import.meta.url),
  web: threadFile("web/web-thread", import.meta.url),
} as const;

/** Maximum number of studies or orders shown; a larger result needs a narrower search. */
export const maxMatches = 500;

/** Searches a node for studies. The result contains any failure, together with the matches found before it. */
export function findIn(node: ReachedNode, identifier: Identifier, options: NodeOptions): Promise<FindAnswer> {
  return find(node, { model: studyRoot.find, identifier, maxMatches }, options);
}

export function findSteps(
  node: Extract<ReachedNode, { kind: "dimse" }>,
  identifier: WorklistIdentifier,
  options: NodeOptions,
): Promise<FindAnswer> {
  return find(node, { model: modalityWorklist, identifier, maxMatches }, options);
}

async function find(
  node: ReachedNode,
  query: Pick<FindJob<ReachedNode>, "model" | "identifier" | "maxMatches">,
  { signal, ...options }: NodeOptions,
): Promise<FindAnswer> {
  const job = { node, ...query, limits: networkLimits, ...options };
  const answer = await inThread<NodeCalls, "find">(threads[node.kind], "find", job, { signal });
  return answer ?? { matches: [], isCutOff: false, failure: threadFailure(signal) };
}

export async function fetchFrom(
  node: ReachedNode,
  identifier: Identifier,
  {
    signal,
    onMessage,
    ...options
  }: NodeOptions & {
    readonly folder: string;
    readonly destinationAeTitle: string | null;
    readonly onMessage: (message: FetchMessage) => void;
  },
): Promise<FetchAnswer> {
  let counts: FetchProgress = { fetchedObjects: 0, failedObjects: 0, objects: null };
  const onProgress = (message: FetchMessage) => {
    if (message.kind === "progress") counts = message.progress;
    onMessage(message);
  };
  const job = { node, identifier, limits: networkLimits, ...options };
  const { folder } = options;
  const answer = await inThread<NodeCalls, "fetch">(threads[node.kind], "fetch", job, { signal, onProgress, folder });
  return answer ?? { ...counts, failure: threadFailure(signal) };
}

/** Stores files, unchanged if the node accepts their transfer syntax. @throws AppError INVALID_DICOM */
export async function sendTo(
  node: ReachedNode,
  files: readonly Uint8Array[],
  { signal, onProgress, ...options }: NodeOptions & { readonly onProgress?: (progress: SendProgress) => void },
): Promise<SendAnswer> {
  const job = { node, files, limits: networkLimits, ...options };
  const answer = await inThread<NodeCalls, "send">(threads[node.kind], "send", job, { signal, onProgress });
  return answer ?? { failure: threadFailure(signal), leftOut: [] };
}

/** Tests whether a node is reachable and accepts our AE title: C-ECHO, or a search for one study. */
export async function testNode(node: ReachedNode, options: NodeOptions): Promise<SendFailure | null> {
  if (node.kind === "dimse") return (await sendTo(node, [], options)).failure;
  const query = { model: studyRoot.find, identifier: { StudyInstanceUID: "" }, maxMatches: 0 };
  return (await find(node, query, options)).failure;
}

export async function sendCommitmentRequest(
  node: ReachedPeer,
  objects: readonly ReferredObject[],
  {
    signal,
    ...options
  }: Omit<NodeOptions, "limits"> & {
    readonly transactionUid: string;
    readonly folder: string;
    readonly waitMs: number;
  },
): Promise<CommitmentAnswer> {
  const job = { node, objects, limits: networkLimits, ...options };
  const { folder } = options;
  const answer = await inThread<DimseCalls, "commit">(threads.dimse, "commit", job, { signal, folder });
  return answer ?? { reportFile: null, failure: threadFailure(signal) };
}
