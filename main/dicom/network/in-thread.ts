import type { SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import { startThread, ThreadEnded } from "../../workers/start-thread.ts";
import type { ThreadCalls } from "../../workers/thread-messages.ts";
import { networkLimits } from "./network-limits.ts";
import { discardUnfinished } from "./receiving/unfinished-object.ts";

/** Heap limit of a thread; files and received data use other memory. */
const threadMemoryMb = 256;

export type ThreadOptions<Progress> = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Folder of received objects; partial objects of a thread that ended early are deleted. */
  readonly folder?: string;
  /** Time for the thread to exit after its result, by default longer than the last bytes of a connection take [ms]. */
  readonly exitMs?: number;
};

/** Runs one call in a thread that ends with faults of a library or the peer; null if it ended without a result. */
export async function inThread<Served extends ThreadCalls, Name extends keyof Served & string>(
  file: URL,
  name: Name,
  job: Served[Name]["request"],
  { signal, onProgress, folder, exitMs = 2 * networkLimits.lastBytesMs }: ThreadOptions<Served[Name]["progress"]>,
): Promise<Served[Name]["answer"] | null> {
  if (signal?.aborted) return null;
  const thread = startThread<Served>(file, { limits: { maxOldGenerationSizeMb: threadMemoryMb }, isSilent: true });
  const cancel = () => void thread.terminate();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await thread.call(name, job, { ...(onProgress && { onProgress }) });
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    if (folder !== undefined) discardUnfinished(folder, thread.id);
    return null;
  } finally {
    signal?.removeEventListener("abort", cancel);
    // The thread exits once its last messages are written; terminate it if something keeps it running.
    const end = setTimeout(() => void thread.terminate(), exitMs);
    void thread.close().then(() => clearTimeout(end));
  }
}

export function threadFailure(signal: AbortSignal | undefined): SendFailure {
  return { reason: signal?.aborted ? "cancelled" : "connection-lost", detail: "" };
}
