import { Worker } from "node:worker_threads";
import type { DicomPeer, SendFailure, SendProgress } from "../../../core/contract/desktop/dicom.ts";
import { readDicomFile } from "../dicom-file.ts";
import { networkLimits, type NetworkLimits } from "./network-limits.ts";
import { dataSetOf } from "./part-10.ts";
import type { SendJob, SendMessage, SentObject } from "./sender-messages.ts";

/** What goes with a sending. */
export type SendOptions = {
  /** Our own application entity title. */
  readonly aeTitle: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SendProgress) => void;
  readonly limits?: NetworkLimits;
};

const threadMemoryMb = 512;
const threadFile = new URL(`./sender-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/**
 * Sends DICOM files by C-STORE in one association, byte for byte where the peer takes their transfer syntax.
 *
 * @param files  whole files with group 0002
 * @returns      null when the peer has kept them all, else why not
 * @throws AppError INVALID_DICOM for a file that is none
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
  const workerData: SendJob = { peer, aeTitle, objects, limits };
  const worker = new Worker(threadFile, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const ended = new Promise<SendFailure | null>((resolve) => {
    worker.on("message", (message: SendMessage) =>
      message.kind === "progress" ? onProgress?.(message.progress) : resolve(message.failure),
    );
    worker.once("error", () => resolve({ reason: "connection-lost", detail: "" }));
    worker.once("exit", () => resolve({ reason: "connection-lost", detail: "" }));
    signal?.addEventListener("abort", () => resolve({ reason: "cancelled", detail: "" }), { once: true });
  });
  const failure = await ended;
  // The thread goes by itself once its last words are written; a cancelled one is ended.
  if (failure?.reason === "cancelled") await worker.terminate();
  return failure;
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
