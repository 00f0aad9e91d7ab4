import { create } from "zustand";

/** Names of forms with input that would be lost with the page. */
export const useTypedInput = create<{ readonly forms: ReadonlySet<string> }>(() => ({ forms: new Set() }));

/** Notes whether a form holds input that is not saved. */
export function noteTyped(form: string, isTyped: boolean): void {
  const { forms } = useTypedInput.getState();
  if (forms.has(form) === isTyped) return;
  const others = [...forms].filter((each) => each !== form);
  useTypedInput.setState({ forms: new Set(isTyped ? [...others, form] : others) });
}
