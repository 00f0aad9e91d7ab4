import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { AppError } from "../../core/app-error.ts";
import type { DicomContents } from "./dicom-contents.ts";
import type { ElementValues } from "./dicom-elements.ts";
import { valuesOf } from "./element-excerpt.ts";
import { compileCodecs } from "./pixels/codec-module.ts";
import type { DicomFrame } from "./pixels/dicom-frame.ts";
import type { ReaderAnswer, ReaderReply, ReaderRequest, ReaderTask, ReaderThreadData } from "./reader-messages.ts";

type ReadOptions = { readonly signal?: AbortSignal | undefined };

/**
 * Reads DICOM files in threads that may die of them: of elements without end as of a picture that its codec never
 * finishes. The caller keeps the bytes. Each way of reading throws AppError INVALID_DICOM and ABORTED.
 */
export type DicomReader = {
  /**
   * @param frameIndex  0 for the first
   * @throws AppError UNSUPPORTED_DICOM, DICOM_WITHOUT_PIXELS, IMAGE_TOO_MANY_PIXELS
   */
  frame(bytes: Uint8Array, frameIndex: number, options?: ReadOptions): Promise<DicomFrame>;
  contents(bytes: Uint8Array, options?: ReadOptions): Promise<DicomContents>;
  /** The elements that results take over. */
  source(bytes: Uint8Array, options?: ReadOptions): Promise<ElementValues>;
  close(): Promise<void>;
};

export type DicomReaderOptions = {
  /** Files that are read side by side; more wait. */
  readonly threads?: number;
  /** How long a file's elements may take, and again its picture, which has more time for every megapixel [ms]. */
  readonly deadlineMs?: number;
  readonly deadlinePerMegapixelMs?: number;
  readonly threadFile?: URL;
};

/** Compiled, this file lies beside reader-thread.js; run from source, beside reader-thread.ts. */
const readerThreadFile = new URL(`./reader-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/**
 * JavaScript's own memory of a thread; pictures and codecs lie beside it and are bounded by the largest picture and by
 * the module.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 } as const;

type Waiting = {
  readonly bytes: Uint8Array;
  readonly task: ReaderTask;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: ReaderAnswer) => void;
  readonly reject: (error: unknown) => void;
};

/** Makes a reader; its threads start with the first files. */
export function createDicomReader(options: DicomReaderOptions = {}): DicomReader {
  const { threads = 2, deadlineMs = 4000, deadlinePerMegapixelMs = 2000, threadFile = readerThreadFile } = options;
  const waiting: Waiting[] = [];
  const idle: Worker[] = [];
  let running = 0;
  let isClosed = false;
  let codecs: Promise<WebAssembly.Module> | null = null;

  const startThread = async (): Promise<Worker> => {
    const workerData: ReaderThreadData = { codecs: await (codecs ??= compileCodecs()) };
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
      const { answer, isReusable } = isUnwanted
        ? { answer: new AppError("ABORTED"), isReusable: true }
        : await readIn(worker, job, { deadlineMs, deadlinePerMegapixelMs });
      if (isReusable && !isClosed) idle.push(worker);
      else void worker.terminate();
      if (answer instanceof Error) throw answer;
      job.resolve(answer);
    } catch (error) {
      job.reject(error);
    }
  };
  /** A thread answers in the kind of its task. */
  const ask = <Kind extends ReaderTask["kind"]>(
    bytes: Uint8Array,
    task: ReaderTask & { readonly kind: Kind },
    { signal }: ReadOptions = {},
  ) =>
    new Promise<ReaderAnswer & { readonly kind: Kind }>((resolve, reject) => {
      waiting.push({ bytes, task, signal, resolve: resolve as Waiting["resolve"], reject });
      next();
    });
  return {
    frame: async (bytes, frameIndex, options) => (await ask(bytes, { kind: "frame", frameIndex }, options)).frame,
    contents: async (bytes, options) => (await ask(bytes, { kind: "contents" }, options)).contents,
    source: async (bytes, options) => valuesOf((await ask(bytes, { kind: "excerpt" }, options)).excerpt),
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

type Outcome = { readonly answer: ReaderAnswer | Error; readonly isReusable: boolean };

/**
 * One file in one thread. The outcome says whether the thread can be asked again; an error outside the catalogue is a
 * bug.
 */
function readIn(
  worker: Worker,
  { bytes, task, signal }: Waiting,
  limits: { readonly deadlineMs: number; readonly deadlinePerMegapixelMs: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const lost = (why: string) =>
      end({ answer: new AppError("INVALID_DICOM", `The DICOM file cannot be read: ${why}`), isReusable: false });
    const onTime = () =>
      lost(task.kind === "frame" ? "its picture takes too long to decode" : "its elements take too long to read");
    const onExit = () => lost("its reader crashed");
    const onError = (error: Error) =>
      lost(
        "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? "its reader ran out of memory"
          : "its reader crashed",
      );
    const onAbort = () => end({ answer: new AppError("ABORTED"), isReusable: false });
    const onMessage = (reply: ReaderReply) => {
      switch (reply.kind) {
        case "started":
          return;
        case "checked":
          clearTimeout(timer);
          timer = setTimeout(onTime, limits.deadlineMs + (limits.deadlinePerMegapixelMs * reply.pixels) / 1e6);
          return;
        case "answer":
          return end({ answer: reply.answer, isReusable: !reply.isSpent });
        case "failure":
          return end({ answer: new AppError(reply.code, reply.message), isReusable: !reply.isSpent });
        case "bug":
          return end({ answer: new Error(reply.message), isReusable: false });
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
    const request: ReaderRequest = { bytes: own, task };
    worker.postMessage(request, [own.buffer as ArrayBuffer]);
  });
}

let shared: DicomReader | null = null;

/** The program's own reader. */
export function dicomReader(): DicomReader {
  return (shared ??= createDicomReader());
}
