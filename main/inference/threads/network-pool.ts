import { availableParallelism, totalmem } from "node:os";
import PQueue from "p-queue";
import type { AppError } from "../../../core/app-error.ts";
import type { NetworkCall, NetworkCalls } from "./network-calls.ts";
import { startNetworkThread, type NetworkThread } from "./network-thread-client.ts";

/** Minimum memory for two threads, since each loads all networks [bytes]. */
const minMemoryForTwo = 3e9;

/** Maximum number of cores per network; more gain little and would slow down the workstation. */
const maxCoresPerNetwork = 2;

export type NetworkPool = {
  /**
   * Calls of one film, which run in the next free thread, before those of later films. Errors are AppErrors of the
   * catalogue, ABORTED after the signal, INTERNAL if a thread ended.
   */
  forFilm(cameAtMs: number, signal?: AbortSignal): NetworkCall;
  readonly everywhere: NetworkCall;
  /**
   * Starts the remaining threads one by one; each serves films once it has loaded the packs of the first one.
   *
   * @throws AppError PACK_REFUSED, INTERNAL; the threads that serve films already are not affected
   */
  complete(packs: readonly NetworkCalls["load"]["request"][]): Promise<void>;
  /** Error for a thread that has ended unexpectedly; null while all run. */
  fault(): AppError | null;
  close(): Promise<void>;
};

function fittingThreads(): number {
  return availableParallelism() > 1 && totalmem() >= minMemoryForTwo ? 2 : 1;
}

/**
 * Starts the first thread; `complete` starts the others, which would only delay the first film. Cores are divided among
 * the threads, so that networks do not wait for each other; remaining and idle cores are used within a network.
 */
export function startNetworkPool(count = fittingThreads()): NetworkPool {
  const alone = Math.min(maxCoresPerNetwork, availableParallelism());
  const shared = Math.max(1, Math.min(alone, Math.floor(availableParallelism() / count)));
  const start = () => startNetworkThread({ shared, alone });
  const threads = [start()];
  const free = [...threads];
  const queue = new PQueue({ concurrency: threads.length });
  const fault = () => threads.map((thread) => thread.fault()).find((error) => error !== null) ?? null;
  const assertAlive = () => {
    const error = fault();
    if (error) throw error;
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
    fault,
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
