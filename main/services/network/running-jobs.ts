import { AppError } from "../../../core/app-error.ts";

/** Work that the page started and may end. */
export type RunningJobs = {
  /** @throws AppError CONFLICT where a job of this id runs already */
  run<Answer>(jobId: string, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Ending one that has ended is not an error. */
  cancel(jobId: string): void;
  /** Ends all, and resolves when they have. */
  close(): Promise<void>;
};

export function createRunningJobs(): RunningJobs {
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<unknown> }>();
  const closing = new AbortController();
  return {
    async run(jobId, work) {
      if (running.has(jobId)) throw new AppError("CONFLICT");
      const stop = new AbortController();
      const ended = work(AbortSignal.any([stop.signal, closing.signal]));
      running.set(jobId, { stop, ended });
      try {
        return await ended;
      } finally {
        running.delete(jobId);
      }
    },
    cancel: (jobId) => running.get(jobId)?.stop.abort(),
    async close() {
      closing.abort();
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}
