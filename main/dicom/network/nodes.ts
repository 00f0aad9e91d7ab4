import type { SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import type { FetchAnswer, FindAnswer, Identifier } from "./query/query-calls.ts";
import { fetchObjects, findStudies, type FetchOptions, type QueryOptions } from "./query/query.ts";
import type { ReachedPeer } from "./secure-socket.ts";
import type { SendAnswer } from "./sending/sender-calls.ts";
import { echo, sendObjects, type SendOptions } from "./sending/sender.ts";
import type { ReachedWeb } from "./web/web-calls.ts";
import { fetchObjectsFromWeb, findStudiesOnWeb, storeOnWeb } from "./web/web-client.ts";

export type ReachedNode = ({ readonly kind: "dimse" } & ReachedPeer) | ({ readonly kind: "web" } & ReachedWeb);

/** Searches a node for studies. The result contains any failure, together with the matches found before it. */
export function findIn(node: ReachedNode, identifier: Identifier, options: QueryOptions): Promise<FindAnswer> {
  return node.kind === "web" ? findStudiesOnWeb(node, identifier, options) : findStudies(node, identifier, options);
}

export function fetchFrom(node: ReachedNode, identifier: Identifier, options: FetchOptions): Promise<FetchAnswer> {
  return node.kind === "web" ? fetchObjectsFromWeb(node, identifier, options) : fetchObjects(node, identifier, options);
}

/** Stores whole files on a node. @throws AppError INVALID_DICOM */
export async function sendTo(
  node: ReachedNode,
  files: readonly Uint8Array[],
  options: SendOptions,
): Promise<SendAnswer> {
  if (node.kind === "dimse") return sendObjects(node, files, options);
  return { failure: await storeOnWeb(node, files, options), leftOut: [] };
}

/** Tests whether a node is reachable and accepts our AE title: C-ECHO, or a search for one study. */
export async function testNode(node: ReachedNode, options: SendOptions): Promise<SendFailure | null> {
  if (node.kind === "dimse") return echo(node, options);
  return (await findStudiesOnWeb(node, { StudyInstanceUID: "" }, { ...options, most: 0 })).failure;
}
