import PQueue from "p-queue";
import { AppError } from "../../../core/app-error.ts";
import { decodeImage, type DecodedImage } from "../../imaging/decode-image.ts";
import { decodingBytes, pictureForm } from "../../imaging/decoding/decoding-bytes.ts";

export const queueLimit = 64;

/** Two in inference threads, the others being decoded or waiting. With three, a core was sometimes idle. */
export const concurrentFilms = 4;

/** Decoding memory above which an image counts as large [bytes]. */
const largeImageBytes = 128 * 1024 * 1024;

/** Bounded queue in front of the networks, limiting decoding and inference. */
export type WorkQueue = {
  /** @throws AppError BUSY if fewer than `images` slots are free */
  reserve(images: number): QueuePlaces;
  readonly size: number;
  readonly isFull: boolean;
};

/** Released one by one as work ends, or all by `release`. */
export type QueuePlaces = Disposable & {
  /**
   * Queues the work on an image, which receives the function that decodes it. Large images pass a queue of their own
   * first, so that only one at a time delays other films.
   *
   * @param outputChannels  see `decodingBytes`
   */
  run<T>(
    image: Uint8Array,
    work: (decode: () => Promise<DecodedImage>) => Promise<T>,
    signal: AbortSignal,
    outputChannels?: number,
  ): Promise<T>;
  release(): void;
};

export function createWorkQueue(concurrency = concurrentFilms, limit = queueLimit): WorkQueue {
  const queue = new PQueue({ concurrency });
  const largeOnes = new PQueue({ concurrency: 1 });
  let taken = 0;
  return {
    get size() {
      return taken;
    },
    get isFull() {
      return taken >= limit;
    },
    reserve(images) {
      if (taken + images > limit) throw new AppError("BUSY");
      taken += images;
      let held = images;
      const releaseSlots = (places: number) => {
        const returned = Math.min(places, held);
        held -= returned;
        taken -= returned;
      };
      const release = () => releaseSlots(held);
      return {
        async run(image, work, signal, outputChannels) {
          try {
            const form = pictureForm(image);
            const decode = () => decodeImage(image, { signal, form });
            const queued = () => inTurn(queue, () => work(decode), signal);
            return await (decodingBytes(form, outputChannels) > largeImageBytes
              ? inTurn(largeOnes, queued, signal)
              : queued());
          } finally {
            releaseSlots(1);
          }
        },
        release,
        [Symbol.dispose]: release,
      };
    },
  };
}

/** Rejects at once if aborted while waiting; work in progress keeps its slot until it ends. */
function inTurn<T>(queue: PQueue, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const waiting = new AbortController();
  const stopWaiting = () => waiting.abort(signal.reason);
  if (signal.aborted) stopWaiting();
  else signal.addEventListener("abort", stopWaiting, { once: true });
  const begin = () => {
    signal.removeEventListener("abort", stopWaiting);
    return work();
  };
  return queue.add(begin, { signal: waiting.signal });
}
