import { expect, test } from "vitest";
import { screens } from "../../../renderer/state/navigation.ts";
import { displayKeys, keysOf, isTextInput } from "../../../renderer/ui/keys/shortcut-keys.ts";
import {
  commandOf,
  commandsOf,
  shortcutGroups,
  shortcutTable,
  usualKeys,
  type Command,
} from "../../../renderer/ui/keys/shortcuts.ts";

const press = (
  key: string,
  held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {},
  code = "",
) => ({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test("numbers the screens in the order of the rail", () => {
  const keys = screens.map((screen) => shortcutTable[`go.${screen}`].keys);
  expect(keys).toEqual(screens.map((_, index) => `Alt+${index + 1}`));
});

test("writes a key press as in the table, on each platform", () => {
  expect(keysOf(press("z", { ctrlKey: true }), false)).toBe("Mod+Z");
  expect(keysOf(press("z", { metaKey: true, shiftKey: true }), true)).toBe("Mod+Shift+Z");
  expect(keysOf(press("?", { shiftKey: true }), false)).toBe("?");
  expect(keysOf(press("ArrowLeft", { shiftKey: true }), false)).toBe("Shift+ArrowLeft");
  expect(keysOf(press("+"), false)).toBe("+");
});

test("identifies a key pressed with Option on a Mac by its position", () => {
  expect(keysOf(press("¡", { altKey: true }, "Digit1"), true)).toBe("Alt+1");
  expect(keysOf(press("å", { altKey: true }, "KeyA"), true)).toBe("Alt+A");
  expect(keysOf(press("1", { altKey: true }, "Digit1"), false)).toBe("Alt+1");
});

test("leaves keys that enter text to a field, and no others", () => {
  const alt = { altKey: true };
  expect([isTextInput(press("1"), false), isTextInput(press("1", alt, "Digit1"), false)]).toEqual([true, false]);
  // Alt with the number pad enters ß on Windows; Option enters { on a Mac.
  expect([isTextInput(press("2", alt, "Numpad2"), false), isTextInput(press("{", alt, "Digit5"), true)]).toEqual([
    true,
    true,
  ]);
  expect([isTextInput(press("s", { ctrlKey: true }), false), isTextInput(press("F1"), false)]).toEqual([false, false]);
});

test("lists every command in a group", () => {
  expect(Object.keys(shortcutGroups).flatMap(commandsOf).sort()).toEqual(Object.keys(shortcutTable).sort());
});

test("assigns redo by platform", () => {
  expect((["windows", "linux", "mac"] as const).map((system) => usualKeys("correct.redo", system))).toEqual([
    "Mod+Y",
    "Mod+Shift+Z",
    "Mod+Shift+Z",
  ]);
});

test("displays keys in the notation of the platform", () => {
  expect(displayKeys("Mod+Shift+Z", "en", false)).toBe("Ctrl+Shift+Z");
  expect(displayKeys("Mod+Shift+Z", "de", true)).toBe("⌘⇧Z");
  expect(displayKeys("Mod+Shift+Z", "de", false)).toBe("Strg+Umschalt+Z");
  expect(displayKeys("+", "en", false)).toBe("+");
});

test("assigns no keys twice, and prefers changed keys", () => {
  for (const system of ["mac", "windows", "linux"] as const) {
    const keys = (Object.keys(shortcutTable) as Command[]).map((command) => usualKeys(command, system));
    expect(new Set(keys).size).toBe(keys.length);
  }
  expect(commandOf("F", {})).toBe("view.fit");
  expect(commandOf("F", { "view.fit": "Q" })).toBeNull();
  expect(commandOf("Q", { "view.fit": "Q" })).toBe("view.fit");
});
