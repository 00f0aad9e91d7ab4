import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";

/** Saves the focused field; null if it is not saved on leaving. */
let focused: RefObject<() => unknown> | null = null;

/**
 * Props of a field that is saved when it is left, by Enter in a field of one line, and after typing ends.
 *
 * @param save       saves the input, if it is valid and has changed
 * @param saveInHand saves while typing may continue, if leaving does more than that
 */
export function useSavedWhenLeft(save: () => unknown, saveInHand: () => unknown = save) {
  const latest = useRef(saveInHand);
  useEffect(() => {
    latest.current = saveInHand;
  });
  // A removed field receives no blur event.
  useEffect(() => () => void (focused === latest && (focused = null)), []);
  return {
    onFocus: () => {
      focused = latest;
    },
    onKeyDown: ({ key, target }: KeyboardEvent) => {
      if (key === "Enter" && target instanceof HTMLInputElement) save();
    },
    onBlur: () => {
      if (focused === latest) focused = null;
      save();
    },
  };
}

/** Saves the focused field and keeps the focus and the caret in it. */
export function saveField(): void {
  focused?.current();
}
