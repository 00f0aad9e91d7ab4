import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";

/** Saves the focused field; null if the focused field is not saved on leaving. */
let focused: RefObject<() => unknown> | null = null;

/**
 * Props of a field that is saved when the focus leaves it, on Enter in a one-line field, and before the screen
 * locks.
 *
 * @param save        saves the input, if it is valid and has changed
 * @param saveInHand  saves while typing may continue; by default the same as `save`
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

/** Saves the focused field without moving the focus or the caret. */
export function saveField(): void {
  focused?.current();
}
