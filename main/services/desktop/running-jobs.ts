import { AppError } from "../../../core/app-error.ts";

export type RunningJobs = {
  /** @throws AppError CONFLICT if a job with this id is running */
  run<Answer>(jobId: string, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Cancels a job; does nothing if it has ended. */
  cancel(jobId: string): void;
  /** Cancels all jobs; resolves when they have ended. */
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
