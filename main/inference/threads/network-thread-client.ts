import { Worker } from "node:worker_threads";
import { AppError } from "../../../core/app-error.ts";
import type { NetworkCallName, NetworkCalls, NetworkMessage, NetworkReply } from "./network-calls.ts";

/** One thread of the networks, seen from the event loop. */
export type NetworkThread = {
  /** @throws AppError of the catalogue, ABORTED when the signal says so, INTERNAL when the thread is gone */
  call<Name extends NetworkCallName>(
    name: Name,
    request: NetworkCalls[Name]["request"],
    signal?: AbortSignal,
  ): Promise<NetworkCalls[Name]["answer"]>;
  /** False once the thread has ended by itself. */
  isAlive(): boolean;
  close(): Promise<void>;
};

type Pending = { readonly resolve: (answer: never) => void; readonly reject: (error: Error) => void };

/** Compiled, this file lies beside network-thread.js; run from source, beside network-thread.ts. */
const threadFile = new URL(`./network-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/**
 * Of the garbage most is outside the heap: onnxruntime-node copies each answer into a new buffer (0.7 MB), whoever else
 * it wrote it for. Little room for young objects brings these buffers back by quick collections instead of full ones.
 */
const maxYoungGenerationSizeMb = 3;

/** A thread of the networks has ended by itself; `cause` is what it threw, nothing where native code ended it. */
export function networksStopped(cause?: unknown): AppError {
  return new AppError("INTERNAL", "the networks stopped unexpectedly", { cause });
}

/** Starts a thread whose networks use so many cores each. */
export function startNetworkThread(coresPerNetwork: number): NetworkThread {
  const worker = new Worker(threadFile, { workerData: coresPerNetwork, resourceLimits: { maxYoungGenerationSizeMb } });
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let alive = true;
  let fault: unknown;
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      alive = false;
      for (const call of pending.values()) call.reject(networksStopped(fault));
      pending.clear();
      resolve();
    });
  });
  worker.on("error", (error) => {
    alive = false;
    fault = error;
  });
  worker.on("message", (reply: NetworkReply) => {
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if ("answer" in reply) call?.resolve(reply.answer as never);
    else call?.reject(asThrown(reply.failure));
  });
  const send = (message: NetworkMessage) => worker.postMessage(message);
  return {
    isAlive: () => alive,
    async call(name, request, signal) {
      if (signal?.aborted) throw new AppError("ABORTED");
      if (!alive) throw networksStopped(fault);
      const id = nextId++;
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      const cancel = () => Atomics.store(cancelled, 0, 1);
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await new Promise((resolve, reject) => {
          pending.set(id, { resolve, reject });
          send({ id, name, request, cancelled } as NetworkMessage);
        });
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
    async close() {
      if (alive) send("close");
      await ended;
    },
  };
}

/** A failure of the catalogue as such again; anything else is a bug, and keeps its stack in the thread. */
function asThrown({ code, error }: Extract<NetworkReply, { failure: unknown }>["failure"]): Error {
  return code === null ? error : new AppError(code, error.message);
}
