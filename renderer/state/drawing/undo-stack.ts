export type UndoStack<T> = { readonly past: readonly T[]; readonly present: T; readonly future: readonly T[] };

const mostSteps = 200;

export function startStack<T>(present: T): UndoStack<T> {
  return { past: [], present, future: [] };
}

/** Appends a value and drops the undone ones. */
export function pushed<T>(stack: UndoStack<T>, present: T): UndoStack<T> {
  return { past: [...stack.past, stack.present].slice(-mostSteps), present, future: [] };
}

/** Another present without a step: the values in the middle of a drag. */
export function replaced<T>(stack: UndoStack<T>, present: T): UndoStack<T> {
  return { ...stack, present };
}

/** The next value of a key that may be held: all of its repeats are one step with the first press. */
export function nudged<T>(stack: UndoStack<T>, present: T, isHeld: boolean): UndoStack<T> {
  return isHeld && stack.past.length > 0 ? replaced(stack, present) : pushed(stack, present);
}

/** One step back; the same stack when there is none. */
export function undone<T>(stack: UndoStack<T>): UndoStack<T> {
  const present = stack.past.at(-1);
  if (present === undefined) return stack;
  return { past: stack.past.slice(0, -1), present, future: [stack.present, ...stack.future] };
}

/** One step forward again; the same stack when there is none. */
export function redone<T>(stack: UndoStack<T>): UndoStack<T> {
  const [present, ...future] = stack.future;
  if (present === undefined) return stack;
  return { past: [...stack.past, stack.present], present, future };
}
