import type { KeyboardEvent as ReactKeyboardEvent } from "react";
import type { Language } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";

export type Platform = "mac" | "windows" | "linux";

export const platform: Platform =
  typeof navigator === "undefined"
    ? "linux"
    : /mac/i.test(navigator.platform)
      ? "mac"
      : /win/i.test(navigator.platform)
        ? "windows"
        : "linux";
const isMac = platform === "mac";

type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const macSigns: Readonly<Record<string, string>> = { Mod: "⌘", Alt: "⌥", Shift: "⇧" };
const signs: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "↵",
};

/**
 * A key press in the notation of the shortcut table: `Mod+Shift+Z`, `+`, `ArrowLeft`. `Mod` is ⌘ on a Mac and Ctrl
 * elsewhere. Shift is included only for letters and named keys: `?` is `?` on every keyboard layout.
 */
export function keysOf(press: KeyPress, onMac = isMac): string {
  const mod = onMac ? press.metaKey : press.ctrlKey;
  // On a Mac, Option produces other characters: ⌥1 is "¡". The key's position identifies it.
  const pressedKey = onMac && press.altKey ? (/^(?:Digit|Key)(.)$/.exec(press.code)?.[1] ?? press.key) : press.key;
  const isLetter = /^[a-z]$/i.test(pressedKey);
  const key = isLetter ? pressedKey.toUpperCase() : pressedKey;
  const isShiftNamed = press.shiftKey && (isLetter || pressedKey.length > 1);
  return [mod && "Mod", press.altKey && "Alt", isShiftNamed && "Shift", key].filter(Boolean).join("+");
}

/** Keys whose label depends on the language of the keyboard; Macs use symbols for some. */
const named = {
  Mod: "shortcuts.key_control",
  Shift: "shortcuts.key_shift",
  Delete: "shortcuts.key_delete",
  Escape: "shortcuts.key_escape",
  " ": "shortcuts.key_space",
} as const;

export function displayKeys(keys: string, language: Language, onMac = isMac): string {
  const parts = keys === "+" ? ["+"] : keys.split("+");
  const say = sayIn(language);
  const shown = parts.map((part) => {
    const sign = (onMac ? macSigns[part] : undefined) ?? signs[part];
    if (sign !== undefined) return sign;
    return part in named ? say(named[part as keyof typeof named]) : part;
  });
  return shown.join(onMac ? "" : "+");
}

/** Escape presses that closed a tooltip; they also apply to the element below it. */
export const tooltipEscapes = new WeakSet<Event>();

/** Whether a key press belongs to the focused field rather than to a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "file"].includes(target.type);
}

/** Whether a key press in a search field moves to the results; prevents its default action. */
export function movesToResults(press: ReactKeyboardEvent): boolean {
  const isMeant = (press.key === "ArrowDown" || press.key === "Enter") && !press.nativeEvent.isComposing;
  if (isMeant) press.preventDefault();
  return isMeant;
}

/**
 * Whether a key press enters text in a field: a character, also one typed with Option on a Mac, or a digit of an Alt
 * code on the number pad on Windows.
 */
export function isTextInput(
  press: Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey">,
  onMac = isMac,
): boolean {
  if (press.key.length > 1) return false;
  if (onMac) return !press.metaKey;
  return !press.ctrlKey && (!press.altKey || press.code.startsWith("Numpad"));
}
