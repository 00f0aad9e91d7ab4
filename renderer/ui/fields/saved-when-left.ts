import { useEffect, useEffectEvent, useState, type KeyboardEvent } from "react";

/** Event of the window before the screen locks. */
const saveEvent = "corvet-save-field";

/**
 * Props of a field that is saved when the focus leaves it, on Enter in a one-line field, and before the screen
 * locks.
 *
 * @param save        saves the input, if it is valid and has changed
 * @param saveInHand  saves while typing may continue; by default the same as `save`
 */
export function useSavedWhenLeft(save: () => unknown, saveInHand: () => unknown = save) {
  const [isFocused, setFocused] = useState(false);
  const saveFocused = useEffectEvent(saveInHand);
  useEffect(() => {
    if (!isFocused) return undefined;
    const onSave = () => void saveFocused();
    window.addEventListener(saveEvent, onSave);
    return () => window.removeEventListener(saveEvent, onSave);
  }, [isFocused]);
  return {
    onFocus: () => setFocused(true),
    onKeyDown: ({ key, target }: KeyboardEvent) => {
      if (key === "Enter" && target instanceof HTMLInputElement) save();
    },
    onBlur: () => {
      setFocused(false);
      save();
    },
  };
}

/** Saves the focused field without moving the focus or the caret. */
export function saveField(): void {
  window.dispatchEvent(new Event(saveEvent));
}
