/** Polls without overlapping runs. */
export type RepeatedLook = {
  /** Looks now, or waits for the look under way. */
  look(): Promise<void>;
  /** From now on a look follows `everyMs` after the end of the one before. */
  start(): void;
  /** Answers when the look under way has ended; none follows. */
  close(): Promise<void>;
  /** Answers when the look under way has ended. */
  whenIdle(): Promise<void>;
};

/** @param onFault  hears why a look failed; the next one comes all the same */
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
