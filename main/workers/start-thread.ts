import { Worker, type ResourceLimits } from "node:worker_threads";
import { AppError } from "../../core/app-error.ts";
import { unpackFailure } from "./thread-failure.ts";
import type { ThreadCalls, ThreadMessage, ThreadReply } from "./thread-messages.ts";

export type ThreadOptions = {
  /** `workerData` of the thread. */
  readonly data?: unknown;
  readonly limits?: ResourceLimits;
  /** Drops output of the thread's libraries, which may name patients. */
  readonly isSilent?: boolean;
};

type CallOptions<Progress> = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (told: Progress) => void;
  /** Buffers that are transferred, not copied. */
  readonly transferred?: readonly ArrayBuffer[];
};

/** A worker thread that answers calls, seen from outside. */
export type Thread<Calls extends ThreadCalls> = {
  readonly id: number;
  /** Settles once the thread runs: a busy machine starts threads slowly. Rejects with ThreadEnded. */
  readonly started: Promise<void>;
  /** @throws AppError of the catalogue, ABORTED before the call when the signal says so; ThreadEnded; a bug as Error */
  call<Name extends keyof Calls & string>(
    name: Name,
    request: Calls[Name]["request"],
    options?: CallOptions<Calls[Name]["progress"]>,
  ): Promise<Calls[Name]["answer"]>;
  /** False once the thread ended or reported too much memory. */
  isReusable(): boolean;
  /** Lets the thread finish and end. */
  close(): Promise<void>;
  /** Ends the thread at once; calls under way reject with ThreadEnded. */
  terminate(): Promise<void>;
};

/** A thread ended before its response; `cause` is its error, absent if native code or a limit ended it. */
export class ThreadEnded extends Error {
  constructor(cause?: unknown) {
    super("the thread ended before it answered", { cause });
    this.name = "ThreadEnded";
  }

  /** The thread asked for more memory than its limits give it. */
  get isOutOfMemory(): boolean {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  }
}

type Pending = {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((told: never) => void) | undefined;
};

/**
 * File of a thread in the caller's folder: `name.ts` from source, `name.js` compiled.
 *
 * @param besides  the caller's `import.meta.url`
 */
export function threadFile(name: string, besides: string): URL {
  return new URL(`./${name}${besides.endsWith(".ts") ? ".ts" : ".js"}`, besides);
}

/** Starts a thread whose file calls `serveThread`. A thread without work keeps no program alive. */
export function startThread<Calls extends ThreadCalls>(file: URL, options: ThreadOptions = {}): Thread<Calls> {
  const { data, limits, isSilent = false } = options;
  const worker = new Worker(file, {
    workerData: data,
    ...(limits && { resourceLimits: limits }),
    stdout: isSilent,
    stderr: isSilent,
  });
  if (isSilent) {
    worker.stdout.resume();
    worker.stderr.resume();
  }
  const pending = new Map<number, Pending>();
  const start = Promise.withResolvers<undefined>();
  // The first call reports a failed start.
  start.promise.catch(() => undefined);
  let nextId = 0;
  let isOver = false;
  let isSpent = false;
  let isClosing = false;
  let fault: unknown;
  // `close` waits for the end of the thread.
  const rest = () => pending.size === 0 && !isClosing && worker.unref();

  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      isOver = true;
      start.reject(new ThreadEnded(fault));
      for (const call of pending.values()) call.reject(new ThreadEnded(fault));
      pending.clear();
      resolve();
    });
  });
  worker.on("error", (error) => {
    isOver = true;
    fault = error;
  });
  worker.on("message", (reply: ThreadReply) => {
    if (reply.kind === "started") {
      start.resolve(undefined);
      return rest();
    }
    const call = pending.get(reply.id);
    if (reply.kind === "progress") return call?.onProgress?.(reply.progress as never);
    pending.delete(reply.id);
    isSpent ||= reply.isSpent;
    if (reply.kind === "answer") call?.resolve(reply.answer as never);
    else call?.reject(unpackFailure(reply.failure));
    return rest();
  });
  const send = (message: ThreadMessage, transferred: readonly ArrayBuffer[] = []) => {
    worker.ref();
    worker.postMessage(message, transferred);
  };
  const { threadId } = worker;
  return {
    id: threadId,
    started: start.promise,
    isReusable: () => !isOver && !isSpent,
    async call(name, request, { signal, onProgress, transferred } = {}) {
      if (signal?.aborted) throw new AppError("ABORTED");
      if (isOver) throw new ThreadEnded(fault);
      const id = nextId++;
      const cancelled = signal ? new Int32Array(new SharedArrayBuffer(4)) : null;
      const cancel = () => cancelled && Atomics.store(cancelled, 0, 1);
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await new Promise((resolve, reject) => {
          pending.set(id, { resolve, reject, onProgress });
          send({ id, name, request, cancelled }, transferred);
        });
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
    async close() {
      isClosing = true;
      if (!isOver) send("close");
      await ended;
    },
    async terminate() {
      await worker.terminate();
    },
  };
}
