import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import { readDicomFile } from "../../dicom-file.ts";
import { inThread, threadFailure } from "../in-thread.ts";
import { networkLimits, type NetworkLimits } from "../network-limits.ts";
import { threadFile } from "../../../workers/start-thread.ts";
import type { SendAnswer, SenderCalls, SentObject } from "./sender-calls.ts";
import type { ReachedPeer } from "../secure-socket.ts";

export type SendOptions = {
  readonly aeTitle: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SendProgress) => void;
  readonly limits?: NetworkLimits;
};

const memoryMb = 512;
const file = threadFile("sender-thread", import.meta.url);

/**
 * Sends DICOM files by C-STORE in one association, unchanged if the peer accepts their transfer syntax.
 *
 * @param files  whole files, with or without group 0002
 * @throws AppError INVALID_DICOM for a file that is not DICOM
 */
export function sendObjects(
  peer: ReachedPeer,
  files: readonly Uint8Array[],
  options: SendOptions,
): Promise<SendAnswer> {
  return perform(peer, files.map(objectOf), options);
}

/** Tests by C-ECHO whether a peer is reachable and accepts our AE title. */
export async function echo(peer: ReachedPeer, options: SendOptions): Promise<SendFailure | null> {
  return (await perform(peer, [], options)).failure;
}

async function perform(
  peer: ReachedPeer,
  objects: readonly SentObject[],
  { aeTitle, signal, onProgress, limits = networkLimits }: SendOptions,
): Promise<SendAnswer> {
  const job = { peer, aeTitle, objects, limits };
  const answer = await inThread<SenderCalls, "send">(file, "send", job, { memoryMb, signal, onProgress });
  return answer ?? { failure: threadFailure(signal), leftOut: [] };
}

function objectOf(bytes: Uint8Array): SentObject {
  const file = readDicomFile(bytes);
  return {
    sopClassUid: file.text("00080016") ?? "",
    sopInstanceUid: file.text("00080018") ?? "",
    transferSyntaxUid: file.transferSyntaxUid,
    dataSet: new Uint8Array(file.dataSet),
  };
}
