import { isTyping } from "../keys/shortcut-keys.ts";

/**
 * Blurs the focused field before it is removed, so that its input is saved. React fires no blur event for a removed
 * field.
 */
export function blurField(): void {
  const { activeElement } = document;
  if (isTyping(activeElement)) (activeElement as HTMLElement).blur();
}
