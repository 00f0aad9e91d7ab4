import { isTyping } from "../keys/shortcut-keys.ts";

/**
 * Leaves the field that is typed into, before it goes from the screen: what was typed is saved, as when it is left with
 * the mouse. React does not tell a field that it removes that it has lost the focus.
 */
export function leaveField(): void {
  const { activeElement } = document;
  if (isTyping(activeElement)) (activeElement as HTMLElement).blur();
}
