import type { DicomPeer, SendFailure, SendProgress } from "../../../../core/contract/desktop/dicom.ts";
import { readDicomFile } from "../../dicom-file.ts";
import { networkLimits, type NetworkLimits } from "../network-limits.ts";
import { dataSetOf } from "../part-10.ts";
import { startThread, threadFile, ThreadEnded } from "../../../workers/start-thread.ts";
import type { SenderCalls, SentObject } from "./sender-calls.ts";

/** What goes with a sending. */
export type SendOptions = {
  /** Our own application entity title. */
  readonly aeTitle: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SendProgress) => void;
  readonly limits?: NetworkLimits;
};

const threadMemoryMb = 512;

/**
 * Sends DICOM files by C-STORE in one association, byte for byte where the peer takes their transfer syntax.
 *
 * @param files  whole files with group 0002
 * @returns      null when the peer has kept them all, else why not
 * @throws AppError INVALID_DICOM for a file that is not DICOM
 */
export function sendObjects(
  peer: DicomPeer,
  files: readonly Uint8Array[],
  options: SendOptions,
): Promise<SendFailure | null> {
  return perform(peer, files.map(objectOf), options);
}

/** Asks by C-ECHO whether a peer is there and knows us. */
export function echo(peer: DicomPeer, options: SendOptions): Promise<SendFailure | null> {
  return perform(peer, [], options);
}

async function perform(
  peer: DicomPeer,
  objects: readonly SentObject[],
  { aeTitle, signal, onProgress, limits = networkLimits }: SendOptions,
): Promise<SendFailure | null> {
  if (signal?.aborted) return { reason: "cancelled", detail: "" };
  const thread = startThread<SenderCalls>(threadFile("sender-thread", import.meta.url), {
    limits: { maxOldGenerationSizeMb: threadMemoryMb },
    isSilent: true,
  });
  const cancel = () => void thread.terminate();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await thread.call("send", { peer, aeTitle, objects, limits }, { ...(onProgress && { onProgress }) });
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return { reason: signal?.aborted ? "cancelled" : "connection-lost", detail: "" };
  } finally {
    signal?.removeEventListener("abort", cancel);
    // The thread goes by itself once its last words are written.
    void thread.close();
  }
}

function objectOf(bytes: Uint8Array): SentObject {
  const file = readDicomFile(bytes);
  return {
    sopClassUid: file.text("00080016") ?? "",
    sopInstanceUid: file.text("00080018") ?? "",
    transferSyntaxUid: file.transferSyntaxUid,
    dataSet: new Uint8Array(dataSetOf(bytes)),
  };
}
