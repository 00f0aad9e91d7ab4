/** Polls without overlapping runs. */
export type RepeatedLook = {
  /** Runs immediately, or joins the run in progress. */
  look(): Promise<void>;
  /** Starts polling: each run follows `everyMs` after the end of the previous one. */
  start(): void;
  /** Stops polling; resolves when the run in progress has ended. */
  close(): Promise<void>;
  whenIdle(): Promise<void>;
};

/** @param onFault  receives the error of a failed run, which does not end the polling */
export function createRepeatedLook(
  lookOnce: () => Promise<void>,
  everyMs: number,
  onFault: (error: unknown) => void,
): RepeatedLook {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let isClosed = false;
  const look = (): Promise<void> =>
    (looking ??= lookOnce()
      .catch(onFault)
      .finally(() => {
        looking = null;
      }));
  const start = (): void => {
    timer = setTimeout(() => void look().then(() => !isClosed && start()), everyMs);
    timer.unref();
  };
  const whenIdle = async (): Promise<void> => {
    await looking;
  };
  return {
    look,
    start,
    whenIdle,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
