import { create } from "zustand";

/** Names of forms with input that closing the page would lose. */
export const useTypedInput = create<{ readonly forms: ReadonlySet<string> }>(() => ({ forms: new Set() }));

export function markTyped(form: string, isTyped: boolean): void {
  const { forms } = useTypedInput.getState();
  if (forms.has(form) === isTyped) return;
  const others = [...forms].filter((each) => each !== form);
  useTypedInput.setState({ forms: new Set(isTyped ? [...others, form] : others) });
}
