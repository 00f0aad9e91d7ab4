/** Whether the platform's command key is ⌘. */
export const isMac = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const spoken: Readonly<Record<string, string>> = {
  " ": "Space",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Delete: "Del",
  Escape: "Esc",
  Enter: "↵",
};

/**
 * A key press as the shortcut table writes it: `Mod+Shift+Z`, `+`, `ArrowLeft`. `Mod` is ⌘ on a Mac and Ctrl elsewhere.
 * Shift is named only with letters and named keys: `?` is `?`, however the keyboard makes it.
 */
export function keysOf(press: KeyPress, onMac = isMac): string {
  const mod = onMac ? press.metaKey : press.ctrlKey;
  const isLetter = /^[a-z]$/i.test(press.key);
  const key = isLetter ? press.key.toUpperCase() : press.key;
  const isShiftNamed = press.shiftKey && (isLetter || press.key.length > 1);
  return [mod && "Mod", press.altKey && "Alt", isShiftNamed && "Shift", key].filter(Boolean).join("+");
}

/** A combination as people write it on this platform. */
export function displayKeys(keys: string, onMac = isMac): string {
  const parts = keys === "+" ? ["+"] : keys.split("+");
  const shown = parts.map((part) => {
    if (part === "Mod") return onMac ? "⌘" : "Ctrl";
    if (part === "Alt" && onMac) return "⌥";
    if (part === "Shift" && onMac) return "⇧";
    return spoken[part] ?? part;
  });
  return shown.join(onMac ? "" : "+");
}

/** Whether a key press belongs to the field that has the focus, not to the shortcut table. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "file"].includes(target.type);
}
