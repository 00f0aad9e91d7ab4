import { useEffect, useState, type Dispatch, type SetStateAction } from "react";
import { markTyped } from "./typed-input.ts";

/** Input of forms that are not currently shown, by form name. */
const kept = new Map<string, unknown>();

/** Like `useState`, but restores the input of a named form when it is shown again. Not for secrets. */
export function useKeptForm<Value>(name: string | null, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, set] = useState(() => (name !== null && kept.has(name) ? (kept.get(name) as Value) : initial));
  const isTyped = JSON.stringify(value) !== JSON.stringify(initial);
  useEffect(() => {
    if (name === null) return;
    kept.set(name, value);
    markTyped(name, isTyped);
  }, [name, value, isTyped]);
  return [value, set];
}

/** Clears all forms, so that no input passes to the next user. */
export function clearForms(): void {
  for (const name of kept.keys()) markTyped(name, false);
  kept.clear();
}
