import { expect, test } from "vitest";
import { displayKeys, keysOf } from "../../../renderer/ui/shortcut-keys.ts";
import { commandOf, shortcutTable } from "../../../renderer/ui/shortcuts.ts";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

test("a key press is written as in the table, on each platform", () => {
  expect(keysOf(press("z", { ctrlKey: true }), false)).toBe("Mod+Z");
  expect(keysOf(press("z", { metaKey: true, shiftKey: true }), true)).toBe("Mod+Shift+Z");
  expect(keysOf(press("?", { shiftKey: true }), false)).toBe("?");
  expect(keysOf(press("ArrowLeft", { shiftKey: true }), false)).toBe("Shift+ArrowLeft");
  expect(keysOf(press("+"), false)).toBe("+");
});

test("keys are shown as people of the platform know them", () => {
  expect(displayKeys("Mod+Shift+Z", false)).toBe("Ctrl+Shift+Z");
  expect(displayKeys("Mod+Shift+Z", true)).toBe("⌘⇧Z");
  expect(displayKeys("+", false)).toBe("+");
});

test("no two commands share keys, and changed keys win", () => {
  const keys = Object.values(shortcutTable).map((row) => row.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(commandOf("F", {})).toBe("view.fit");
  expect(commandOf("F", { "view.fit": "Q" })).toBeNull();
  expect(commandOf("Q", { "view.fit": "Q" })).toBe("view.fit");
});
