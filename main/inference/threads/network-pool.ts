import { availableParallelism, totalmem } from "node:os";
import PQueue from "p-queue";
import type { NetworkCall, NetworkCalls } from "./network-calls.ts";
import { networksStopped, startNetworkThread, type NetworkThread } from "./network-thread-client.ts";

/** Each thread holds all networks; a machine with less memory than this uses one [bytes]. */
const leastMemoryForTwo = 3e9;

/** Cores per network; more gain little and would slow the workstation. */
const mostCoresPerNetwork = 2;

export type NetworkPool = {
  /**
   * Calls for one film: each goes to the next free thread, before those of later films [ms of any clock]. Errors are
   * AppErrors of the catalogue, ABORTED after the signal, INTERNAL if a thread ended.
   */
  forFilm(cameAtMs: number, signal?: AbortSignal): NetworkCall;
  /** A call that every thread performs: loading and unloading. */
  readonly everywhere: NetworkCall;
  /**
   * Starts the remaining threads one by one; each serves films once it has loaded the packs.
   *
   * @param packs  those that the first thread has loaded
   * @throws AppError PACK_REFUSED, INTERNAL; the threads that serve films then stay as they are
   */
  complete(packs: readonly NetworkCalls["load"]["request"][]): Promise<void>;
  /** False once a thread has ended by itself, which only a fault in native code causes. */
  isAlive(): boolean;
  close(): Promise<void>;
};

/** Two threads where the machine has the cores and the memory. */
function fittingThreads(): number {
  return availableParallelism() > 1 && totalmem() >= leastMemoryForTwo ? 2 : 1;
}

/**
 * Starts the first thread; `complete` starts the others, which would only delay the first film. Cores are divided among
 * the threads: a network with one core does not wait for others; remaining or idle cores run within a network.
 */
export function startNetworkPool(count = fittingThreads()): NetworkPool {
  const alone = Math.min(mostCoresPerNetwork, availableParallelism());
  const shared = Math.max(1, Math.min(alone, Math.floor(availableParallelism() / count)));
  const start = () => startNetworkThread({ shared, alone });
  const threads = [start()];
  const free = [...threads];
  const queue = new PQueue({ concurrency: threads.length });
  const isAlive = () => threads.every((thread) => thread.isAlive());
  const assertAlive = () => {
    if (!isAlive()) throw networksStopped();
  };
  const onFreeThread = async <Answer>(work: (thread: NetworkThread) => Promise<Answer>): Promise<Answer> => {
    const thread = free.pop() as NetworkThread;
    try {
      return await work(thread);
    } finally {
      free.push(thread);
    }
  };
  return {
    forFilm: (cameAtMs, signal) => async (name, request) => {
      assertAlive();
      return queue.add(() => onFreeThread((thread) => thread.call(name, request, signal)), { priority: -cameAtMs });
    },
    async everywhere(name, request) {
      assertAlive();
      const settled = await Promise.allSettled(threads.map((thread) => thread.call(name, request)));
      const failure = settled.find((outcome) => outcome.status === "rejected");
      if (failure) throw failure.reason;
      return (settled[0] as PromiseFulfilledResult<never>).value;
    },
    async complete(packs) {
      while (threads.length < count) {
        const thread = start();
        try {
          for (const pack of packs) await thread.call("load", pack);
        } catch (error) {
          await thread.close();
          throw error;
        }
        threads.push(thread);
        free.push(thread);
        queue.concurrency = threads.length;
      }
    },
    isAlive,
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
