import { isTyping } from "../keys/shortcut-keys.ts";

/** Saves the input of a field that is about to be removed: React fires no blur event for it. */
export function blurField(): void {
  const { activeElement } = document;
  if (isTyping(activeElement)) (activeElement as HTMLElement).blur();
}
