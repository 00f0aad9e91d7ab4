export type UndoStack<T> = { readonly past: readonly T[]; readonly present: T; readonly future: readonly T[] };

const maxSteps = 200;

export function startStack<T>(present: T): UndoStack<T> {
  return { past: [], present, future: [] };
}

export function pushed<T>(stack: UndoStack<T>, present: T): UndoStack<T> {
  return { past: [...stack.past, stack.present].slice(-maxSteps), present, future: [] };
}

/** Replaces the present value without adding a step, as during a drag. */
export function replaced<T>(stack: UndoStack<T>, present: T): UndoStack<T> {
  return { ...stack, present };
}

/** Adds the value of a key press; repeats of a held key extend the step of the first press. */
export function nudged<T>(stack: UndoStack<T>, present: T, isHeld: boolean): UndoStack<T> {
  return isHeld && stack.past.length > 0 ? replaced(stack, present) : pushed(stack, present);
}

/** Undoes one step; returns the same stack if there is none. */
export function undone<T>(stack: UndoStack<T>): UndoStack<T> {
  const present = stack.past.at(-1);
  if (present === undefined) return stack;
  return { past: stack.past.slice(0, -1), present, future: [stack.present, ...stack.future] };
}

export function redone<T>(stack: UndoStack<T>): UndoStack<T> {
  const [present, ...future] = stack.future;
  if (present === undefined) return stack;
  return { past: [...stack.past, stack.present], present, future };
}
