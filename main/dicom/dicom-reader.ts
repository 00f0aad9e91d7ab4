import PQueue from "p-queue";
import { AppError, because } from "../../core/app-error.ts";
import type { Deidentification } from "./deidentification/deidentification.ts";
import type { DicomContents } from "./dicom-contents.ts";
import type { ElementValues } from "./elements/dicom-elements.ts";
import { valuesOf } from "./elements/element-excerpt.ts";
import type { DicomFrame } from "./pixels/dicom-frame.ts";
import { startThread, threadFile, ThreadEnded, type Thread } from "../workers/start-thread.ts";
import type { ReaderCalls } from "./reader-calls.ts";

type ReadOptions = { readonly signal?: AbortSignal | undefined };

/**
 * Reads DICOM files in threads, which are terminated if a file or a codec blocks them. Bytes are copied, not
 * transferred. Each method throws AppError INVALID_DICOM, DECODING_INTERRUPTED and ABORTED.
 */
export type DicomReader = {
  /** @throws AppError UNSUPPORTED_DICOM, DICOM_WITHOUT_PIXELS, IMAGE_TOO_MANY_PIXELS */
  frame(bytes: Uint8Array, frameIndex: number, options?: ReadOptions): Promise<DicomFrame>;
  contents(bytes: Uint8Array, options?: ReadOptions): Promise<DicomContents>;
  source(bytes: Uint8Array, options?: ReadOptions): Promise<ElementValues>;
  /** Returns the de-identified file. @throws AppError the errors of `frame` */
  deidentified(bytes: Uint8Array, how: Deidentification, options?: ReadOptions): Promise<Uint8Array>;
  close(): Promise<void>;
};

export type DicomReaderOptions = {
  readonly threads?: number;
  /** Time limit for a file's elements, and separately for its picture, extended for each megapixel [ms]. */
  readonly deadlineMs?: number;
  readonly threadFile?: URL;
};

/** Pictures and codecs use other memory, limited by the maximum picture size and by the WebAssembly module. */
const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 } as const;

const deadlinePerMegapixelMs = 2000;

export function createDicomReader(options: DicomReaderOptions = {}): DicomReader {
  const { threads = 2, deadlineMs = 4000 } = options;
  const file = options.threadFile ?? threadFile("reader-thread", import.meta.url);
  const queue = new PQueue({ concurrency: threads });
  const idle: Thread<ReaderCalls>[] = [];
  let isClosed = false;

  const freeThread = async (): Promise<Thread<ReaderCalls>> => {
    for (let thread = idle.pop(); thread; thread = idle.pop()) if (thread.isReusable()) return thread;
    const thread = startThread<ReaderCalls>(file, { limits, isSilent: true });
    // Start the time limit once the thread runs, since it starts slowly on a busy computer.
    await thread.started;
    return thread;
  };
  const callThread = <Name extends keyof ReaderCalls>(
    name: Name,
    request: ReaderCalls[Name]["request"],
    { signal }: ReadOptions = {},
  ): Promise<ReaderCalls[Name]["answer"]> =>
    queue.add(async () => {
      const thread = await freeThread();
      try {
        if (signal?.aborted) throw new AppError("ABORTED");
        return await readIn(thread, name, request, signal, deadlineMs);
      } finally {
        if (thread.isReusable() && !isClosed) idle.push(thread);
        else void thread.terminate();
      }
    });
  return {
    frame: (bytes, frameIndex, options) => callThread("frame", { bytes, frameIndex }, options),
    contents: (bytes, options) => callThread("contents", { bytes }, options),
    source: async (bytes, options) => valuesOf(await callThread("excerpt", { bytes }, options)),
    deidentified: (bytes, how, options) => callThread("deidentified", { bytes, how }, options),
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((thread) => thread.terminate()));
    },
  };
}

async function readIn<Name extends keyof ReaderCalls>(
  thread: Thread<ReaderCalls>,
  name: Name,
  request: ReaderCalls[Name]["request"],
  signal: AbortSignal | undefined,
  deadlineMs: number,
): Promise<ReaderCalls[Name]["answer"]> {
  let isLate = false;
  const onTimeout = () => {
    isLate = true;
    void thread.terminate();
  };
  let timer = setTimeout(onTimeout, deadlineMs);
  const onAbort = () => void thread.terminate();
  signal?.addEventListener("abort", onAbort, { once: true });
  const onProgress = (progress: ReaderCalls[Name]["progress"]) => {
    clearTimeout(timer);
    timer = setTimeout(onTimeout, deadlineMs + (deadlinePerMegapixelMs * progress.pixels) / 1e6);
  };
  try {
    // Copy before the transfer: the bytes may be a view of a larger buffer.
    const bytes = new Uint8Array(request.bytes);
    return await thread.call(name, { ...request, bytes }, { transferred: [bytes.buffer], onProgress });
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    if (signal?.aborted) throw new AppError("ABORTED");
    const lost: LossReason = isLate ? lateness(name) : error.isOutOfMemory ? "dicomOutOfMemory" : "dicomReaderCrashed";
    throw new AppError("DECODING_INTERRUPTED", because(lost));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

type LossReason = "dicomPictureTooSlow" | "dicomElementsTooSlow" | "dicomOutOfMemory" | "dicomReaderCrashed";

function lateness(name: keyof ReaderCalls): LossReason {
  return name === "frame" || name === "deidentified" ? "dicomPictureTooSlow" : "dicomElementsTooSlow";
}
