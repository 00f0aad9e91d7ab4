/** Lets one after another do something, in the order in which they came: each waits for its turn and ends it. */
export function createTurns(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    let end: () => void = () => undefined;
    last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  };
}
