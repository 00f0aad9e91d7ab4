import PQueue from "p-queue";
import { AppError } from "../../../core/app-error.ts";

/** Images that may wait for the networks before callers are told to come back later. */
export const queueLimit = 64;

/**
 * Images measured side by side: two in the threads of the networks, the others decoded or at the gate; with three, a
 * core was sometimes idle.
 */
export const filmsUnderWay = 4;

/** One bounded queue in front of the networks: decoding and inference never pile up without end. */
export type WorkQueue = {
  /**
   * Reserves places for images that will be measured.
   *
   * @throws AppError BUSY when fewer than `images` places are free
   */
  reserve(images: number): QueuePlaces;
  /** Images waiting or under way. */
  readonly size: number;
};

/** Places in the queue, given back one by one as work ends, and all together by `release`. */
export type QueuePlaces = {
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  release(): void;
};

export function createWorkQueue(concurrency = filmsUnderWay, limit = queueLimit): WorkQueue {
  const queue = new PQueue({ concurrency });
  let taken = 0;
  return {
    get size() {
      return taken;
    },
    reserve(images) {
      if (taken + images > limit) throw new AppError("BUSY");
      taken += images;
      let held = images;
      const giveBack = (places: number) => {
        const returned = Math.min(places, held);
        held -= returned;
        taken -= returned;
      };
      return {
        async run(work, signal) {
          try {
            return await queue.add(work, { signal });
          } finally {
            giveBack(1);
          }
        },
        release: () => giveBack(held),
      };
    },
  };
}
