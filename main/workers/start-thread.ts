import { Worker, type ResourceLimits } from "node:worker_threads";
import { AppError } from "../../core/app-error.ts";
import { unpackFailure } from "./thread-failure.ts";
import type { ThreadCalls, ThreadMessage, ThreadReply } from "./thread-messages.ts";

export type ThreadOptions = {
  readonly data?: unknown;
  readonly limits?: ResourceLimits;
  /** Drops output of the thread's libraries, which may name patients. */
  readonly isSilent?: boolean;
};

type CallOptions<Progress> = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Buffers that are transferred, not copied. */
  readonly transferred?: readonly ArrayBuffer[];
};

export type Thread<Calls extends ThreadCalls> = {
  readonly id: number;
  /** Resolves once the thread runs, since a busy computer starts threads slowly. Rejects with ThreadEnded. */
  readonly started: Promise<void>;
  /** @throws AppError of the catalogue, ABORTED if the signal has aborted before; ThreadEnded; Error for a bug */
  call<Name extends keyof Calls & string>(
    name: Name,
    request: Calls[Name]["request"],
    options?: CallOptions<Calls[Name]["progress"]>,
  ): Promise<Calls[Name]["answer"]>;
  /** False once the thread has ended or reported too much memory. */
  isReusable(): boolean;
  /** The error that ended the thread; undefined while it runs, or if native code ended it. */
  fault(): unknown;
  /** Ends the thread after its work; resolves once it has ended. */
  close(): Promise<void>;
  /** Ends the thread immediately; pending calls reject with ThreadEnded. */
  terminate(): Promise<void>;
};

/** A thread ended before it responded. `cause` is its error, absent if native code ended it. */
export class ThreadEnded extends Error {
  constructor(cause?: unknown) {
    super("the thread ended before its response", { cause });
    this.name = "ThreadEnded";
  }

  get isOutOfMemory(): boolean {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  }
}

type Pending = {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: never) => void) | undefined;
};

/** URL of a thread's file beside the caller (`import.meta.url`): `.ts` when run from source, `.js` when compiled. */
export function threadFile(name: string, besides: string): URL {
  return new URL(`./${name}${besides.endsWith(".ts") ? ".ts" : ".js"}`, besides);
}

/** Starts a thread whose file calls `serveThread`. An idle thread does not keep the program running. */
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
  // Keep the reference during `close`, which waits for the end of the thread.
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
    fault: () => fault,
    async call(name, request, { signal, onProgress, transferred } = {}) {
      if (signal?.aborted) throw new AppError("ABORTED");
      if (isOver) throw new ThreadEnded(fault);
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject, onProgress });
        send({ id, name, request }, transferred);
      });
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
