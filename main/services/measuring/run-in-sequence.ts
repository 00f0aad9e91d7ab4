const tails = new Map<string, Promise<unknown>>();

/** Runs work with the same name sequentially, in call order; different names run concurrently. */
export function runInSequence<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(name) ?? Promise.resolve();
  const run = before.then(work, work);
  tails.set(name, run);
  const forget = (): void => {
    if (tails.get(name) === run) tails.delete(name);
  };
  run.then(forget, forget);
  return run;
}
