import { availableParallelism, totalmem } from "node:os";
import { AppError } from "../../core/app-error.ts";
import { startNetworkThread, type NetworkClient } from "./network-client.ts";

/** Each thread holds all networks; a machine with less memory than this does with one [bytes]. */
const leastMemoryForTwo = 3e9;

/** Starts two threads where the machine has the cores and the memory: what lies around a network on one runs beside the networks of the other. */
export function startNetworkPool(): NetworkClient {
  const count = availableParallelism() > 1 && totalmem() >= leastMemoryForTwo ? 2 : 1;
  const threads = Array.from({ length: count }, startNetworkThread);
  const isAlive = () => threads.every((thread) => thread.isAlive());
  const pending = () => threads.reduce((sum, thread) => sum + thread.pending(), 0);
  return {
    isAlive,
    pending,
    /** A pack is loaded and unloaded by every thread; all other calls go to the one with the least to do. */
    async call(name, request, signal) {
      if (!isAlive()) throw new AppError("INTERNAL", "the networks stopped unexpectedly");
      if (name === "load" || name === "unload") {
        const settled = await Promise.allSettled(threads.map((thread) => thread.call(name, request, signal)));
        const failure = settled.find((outcome) => outcome.status === "rejected");
        if (failure) throw failure.reason;
        return (settled[0] as PromiseFulfilledResult<never>).value;
      }
      return threads.reduce((least, thread) => (thread.pending() < least.pending() ? thread : least)).call(name, request, signal);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
