/** Polls without overlapping runs. */
export type Poller = {
  /** Runs immediately, or joins the run in progress. */
  poll(): Promise<void>;
  /** Starts polling: each run follows `everyMs` after the end of the previous one. */
  start(): void;
  /** Stops polling; resolves when the run in progress has ended. */
  close(): Promise<void>;
  whenIdle(): Promise<void>;
};

/** @param onFault  receives the error of a failed run, which does not end the polling */
export function createPoller(
  pollOnce: () => Promise<void>,
  everyMs: number,
  onFault: (error: unknown) => void,
): Poller {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isClosed = false;
  const poll = (): Promise<void> =>
    (running ??= pollOnce()
      .catch(onFault)
      .finally(() => {
        running = null;
      }));
  const start = (): void => {
    timer = setTimeout(() => void poll().then(() => !isClosed && start()), everyMs);
    timer.unref();
  };
  const whenIdle = async (): Promise<void> => {
    await running;
  };
  return {
    poll,
    start,
    whenIdle,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
