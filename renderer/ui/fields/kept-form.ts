import { useEffect, useId, type SetStateAction } from "react";
import { create } from "zustand";
import { markTyped } from "./typed-input.ts";

/** Input that differs from the initial value of its form, by form name. */
const useKept = create<{ readonly forms: ReadonlyMap<string, unknown> }>(() => ({ forms: new Map() }));

/**
 * Like `useState`, but restores the input of a named form when it is shown again, and accepts changes after it has
 * gone. Not for secrets.
 *
 * @param name  null for a form whose input ends with it
 */
export function useKeptForm<Value>(
  name: string | null,
  initial: Value,
): [value: Value, set: (change: SetStateAction<Value>) => void] {
  const id = useId();
  const key = name ?? id;
  const value = useKept(({ forms }) => (forms.has(key) ? (forms.get(key) as Value) : initial));
  useEffect(() => (name === null ? () => keep(key, null) : undefined), [name, key]);
  const set = (change: SetStateAction<Value>) => {
    const { forms } = useKept.getState();
    const now = forms.has(key) ? (forms.get(key) as Value) : initial;
    const next = change instanceof Function ? change(now) : change;
    keep(key, JSON.stringify(next) === JSON.stringify(initial) ? null : next);
  };
  return [value, set];
}

/** Clears all forms, so that no input passes to the next user. */
export function clearForms(): void {
  for (const name of useKept.getState().forms.keys()) keep(name, null);
}

/** `input` is null for a form without any. */
function keep(name: string, input: unknown): void {
  const forms = new Map(useKept.getState().forms);
  if (input === null) forms.delete(name);
  else forms.set(name, input);
  useKept.setState({ forms });
  markTyped(name, input !== null);
}
