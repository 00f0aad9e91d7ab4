import { useEffect, useRef, type RefObject } from "react";

/** Saves what stands in the field that has the keyboard; null where that field saves nothing when it is left. */
let focused: RefObject<() => unknown> | null = null;

/**
 * Props of a field that is saved when it is left, and once nobody goes on typing.
 *
 * @param save       saves what is typed, if it is good and has changed
 * @param saveInHand what saves it while somebody may still go on typing, if leaving does more than that
 */
export function useSavedWhenLeft(save: () => unknown, saveInHand: () => unknown = save) {
  const latest = useRef(saveInHand);
  useEffect(() => {
    latest.current = saveInHand;
  });
  // A field that goes from the screen is not told that it has lost the keyboard.
  useEffect(() => () => void (focused === latest && (focused = null)), []);
  return {
    onFocus: () => {
      focused = latest;
    },
    onBlur: () => {
      if (focused === latest) focused = null;
      save();
    },
  };
}

/** Saves what stands in the field that is typed into, and leaves the keyboard and the caret in it. */
export function saveField(): void {
  focused?.current();
}
