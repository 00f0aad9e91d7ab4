import { useEffect, useState, type Dispatch, type SetStateAction } from "react";

/** Input of forms that are not shown now, by form name. */
const kept = new Map<string, unknown>();

/**
 * As `useState`, but restores the input when the form is shown again. Never for secrets.
 *
 * @param name  of the form; null for one that starts empty each time
 */
export function useKeptForm<Value>(name: string | null, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, set] = useState(() => (name !== null && kept.has(name) ? (kept.get(name) as Value) : initial));
  useEffect(() => {
    if (name !== null) kept.set(name, value);
  }, [name, value]);
  return [value, set];
}

/** Clears all forms, so that no input passes to the next user. */
export function forgetForms(): void {
  kept.clear();
}
