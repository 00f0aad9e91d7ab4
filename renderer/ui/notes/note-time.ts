/** How long a note is shown [ms]. */
const noteShownMs = 6000;

type Waiting = {
  readonly run: () => void;
  leftMs: number;
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
};

const waiting = new Set<Waiting>();
let isHeld = false;

/**
 * Does something once a note that begins now has had its time.
 *
 * @returns takes it back
 */
export function afterNote(run: () => void): () => void {
  const one: Waiting = { run, leftMs: noteShownMs, since: 0, timer: undefined };
  waiting.add(one);
  if (!isHeld) goOn(one);
  return () => {
    clearTimeout(one.timer);
    waiting.delete(one);
  };
}

/** Lets the time of all notes stand still, or go on: who points at one or has the keyboard there is not hurried. */
export function holdNotes(hold: boolean): void {
  if (hold === isHeld) return;
  isHeld = hold;
  for (const one of waiting) {
    if (hold) stop(one);
    else goOn(one);
  }
}

function goOn(one: Waiting): void {
  one.since = performance.now();
  one.timer = setTimeout(() => {
    waiting.delete(one);
    one.run();
  }, one.leftMs);
}

function stop(one: Waiting): void {
  clearTimeout(one.timer);
  one.leftMs -= performance.now() - one.since;
}
