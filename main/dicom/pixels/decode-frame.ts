import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { AppError } from "../../../core/app-error.ts";
import { compileCodecs } from "./codec-module.ts";
import type { DicomFrame } from "./dicom-frame.ts";
import type { FrameReply, FrameRequest, FrameThreadData } from "./frame-messages.ts";

/** Decodes frames in threads that may die of them. */
export type FrameDecoder = {
  /**
   * @param bytes       a DICOM file; the caller keeps it
   * @param frameIndex  0 for the first
   * @throws AppError INVALID_DICOM, UNSUPPORTED_DICOM, DICOM_WITHOUT_PIXELS, IMAGE_TOO_MANY_PIXELS, ABORTED
   */
  decode(bytes: Uint8Array, frameIndex: number, options?: { readonly signal?: AbortSignal | undefined }): Promise<DicomFrame>;
  close(): Promise<void>;
};

export type FrameDecoderOptions = {
  /** Frames that are decoded side by side; more wait. */
  readonly threads?: number;
  /** How long a file may take, and what every megapixel adds once its size is known to be sound [ms]. */
  readonly deadlineMs?: number;
  readonly deadlinePerMegapixelMs?: number;
  readonly threadFile?: URL;
};

/** Compiled, this file lies beside frame-thread.js; run from source, beside frame-thread.ts. */
const frameThreadFile = new URL(`./frame-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** JavaScript's own memory of a thread; pictures and codecs lie beside it and are bounded by the largest picture and by the module. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 } as const;

type Waiting = { readonly bytes: Uint8Array; readonly frameIndex: number; readonly signal: AbortSignal | undefined; readonly resolve: (frame: DicomFrame) => void; readonly reject: (error: unknown) => void };

/** Makes a decoder; its threads start with the first frames. */
export function createFrameDecoder(options: FrameDecoderOptions = {}): FrameDecoder {
  const { threads = 2, deadlineMs = 5000, deadlinePerMegapixelMs = 2000, threadFile = frameThreadFile } = options;
  const waiting: Waiting[] = [];
  const idle: Worker[] = [];
  let running = 0;
  let isClosed = false;
  let codecs: Promise<WebAssembly.Module> | null = null;

  const startThread = async (): Promise<Worker> => {
    const workerData: FrameThreadData = { codecs: await (codecs ??= compileCodecs()) };
    const worker = new Worker(threadFile, { workerData, resourceLimits, stdout: true, stderr: true });
    // A machine that is busy starts threads slowly: no film's time runs before its thread does.
    await once(worker, "message");
    // A thread without work keeps no program alive, and one that dies without work is simply replaced.
    worker.unref();
    worker.on("error", () => undefined);
    worker.once("exit", () => idle.includes(worker) && idle.splice(idle.indexOf(worker), 1));
    return worker;
  };
  const next = () => {
    while (running < threads) {
      const job = waiting.shift();
      if (!job) return;
      running += 1;
      void perform(job).finally(() => {
        running -= 1;
        next();
      });
    }
  };
  const perform = async (job: Waiting) => {
    try {
      const worker = idle.pop() ?? (await startThread());
      const isUnwanted = job.signal?.aborted === true;
      const { frame, isReusable } = isUnwanted ? { frame: new AppError("ABORTED"), isReusable: true } : await decodeIn(worker, job, { deadlineMs, deadlinePerMegapixelMs });
      if (isReusable && !isClosed) idle.push(worker);
      else void worker.terminate();
      if (frame instanceof AppError) throw frame;
      job.resolve(frame);
    } catch (error) {
      job.reject(error);
    }
  };
  return {
    decode: (bytes, frameIndex, { signal } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ bytes, frameIndex, signal, resolve, reject });
        next();
      }),
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

type Outcome = { readonly frame: DicomFrame | AppError; readonly isReusable: boolean };

/** One frame in one thread. The outcome says whether the thread can be asked again. */
function decodeIn(worker: Worker, { bytes, frameIndex, signal }: Waiting, limits: { readonly deadlineMs: number; readonly deadlinePerMegapixelMs: number }): Promise<Outcome> {
  return new Promise((resolve) => {
    const lost = (why: string) => end({ frame: new AppError("INVALID_DICOM", `The DICOM file cannot be read: ${why}`), isReusable: false });
    const onTime = () => lost("its picture takes too long to decode");
    const onExit = () => lost("its decoder crashed");
    const onError = (error: Error) => lost("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "its decoder ran out of memory" : "its decoder crashed");
    const onAbort = () => end({ frame: new AppError("ABORTED"), isReusable: false });
    const onMessage = (reply: FrameReply) => {
      switch (reply.kind) {
        case "started":
          return;
        case "checked":
          clearTimeout(timer);
          timer = setTimeout(onTime, limits.deadlineMs + (limits.deadlinePerMegapixelMs * reply.pixels) / 1e6);
          return;
        case "frame":
          return end({ frame: reply.frame, isReusable: !reply.isSpent });
        case "failure":
          return end({ frame: new AppError(reply.code, reply.message), isReusable: !reply.isSpent });
      }
    };
    let timer = setTimeout(onTime, limits.deadlineMs);
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("exit", onExit).off("error", onError).unref();
      resolve(outcome);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).once("exit", onExit).once("error", onError).ref();
    // The thread gets a copy of its own: the bytes may be a view of something larger.
    const own = new Uint8Array(bytes);
    const request: FrameRequest = { bytes: own, frameIndex };
    worker.postMessage(request, [own.buffer as ArrayBuffer]);
  });
}

let shared: FrameDecoder | null = null;

/** Decodes one frame in the program's own decoding threads. @throws AppError as `FrameDecoder.decode` does */
export function decodeFrame(bytes: Uint8Array, frameIndex: number, options?: { readonly signal?: AbortSignal | undefined }): Promise<DicomFrame> {
  return (shared ??= createFrameDecoder()).decode(bytes, frameIndex, options);
}
