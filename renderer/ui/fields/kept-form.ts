import { useEffect, useState, type Dispatch, type SetStateAction } from "react";

/** What was typed into forms that are not shown now, by their names. */
const kept = new Map<string, unknown>();

/**
 * As `useState`, but what was typed is there again when the form is. Never for secrets.
 *
 * @param name  of the form; null for one that begins anew each time
 */
export function useKeptForm<Value>(name: string | null, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, set] = useState(() => (name !== null && kept.has(name) ? (kept.get(name) as Value) : initial));
  useEffect(() => {
    if (name !== null) kept.set(name, value);
  }, [name, value]);
  return [value, set];
}

/** Begins all forms anew: what one person typed is not the next one's. */
export function forgetForms(): void {
  kept.clear();
}
