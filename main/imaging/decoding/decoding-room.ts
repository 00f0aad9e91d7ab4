import { AppError } from "../../../core/app-error.ts";

/** Maximum memory of all pictures that are decoded at the same time [bytes]. */
export const decodingLimitBytes = 512 * 1024 * 1024;
/** Waiting time after which a task is next, even if others are smaller [ms]. */
const maxWaitMs = 5000;

export type DecodingRoom = {
  /**
   * Runs `work` once enough memory is available. The smallest waiting task is next, so that a film does not wait for
   * maliciously large pictures.
   *
   * @throws AppError IMAGE_TOO_COSTLY if `bytes` exceeds the limit, ABORTED while it waits, and any error of `work`
   */
  run<T>(bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

type Waiting = { readonly bytes: number; readonly sinceMs: number; readonly start: () => void };

export function createDecodingRoom(limitBytes = decodingLimitBytes): DecodingRoom {
  const waiting: Waiting[] = [];
  let takenBytes = 0;
  const next = (): Waiting | undefined => {
    const oldest = waiting[0];
    if (oldest && performance.now() - oldest.sinceMs > maxWaitMs) return oldest;
    return waiting.toSorted((a, b) => a.bytes - b.bytes)[0];
  };
  const admit = (): void => {
    for (let first = next(); first && takenBytes + first.bytes <= limitBytes; first = next()) {
      waiting.splice(waiting.indexOf(first), 1);
      takenBytes += first.bytes;
      first.start();
    }
  };
  const waitForTurn = (bytes: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = (): void => {
        const place = waiting.indexOf(one);
        if (place < 0) return;
        waiting.splice(place, 1);
        reject(new AppError("ABORTED"));
      };
      const start = (): void => {
        signal?.removeEventListener("abort", cancel);
        resolve();
      };
      const one: Waiting = { bytes, sinceMs: performance.now(), start };
      waiting.push(one);
      signal?.addEventListener("abort", cancel, { once: true });
      admit();
    });
  return {
    async run(bytes, work, signal) {
      if (!(bytes <= limitBytes)) throw new AppError("IMAGE_TOO_COSTLY");
      if (signal?.aborted) throw new AppError("ABORTED");
      await waitForTurn(bytes, signal);
      try {
        return await work();
      } finally {
        takenBytes -= bytes;
        admit();
      }
    },
  };
}
