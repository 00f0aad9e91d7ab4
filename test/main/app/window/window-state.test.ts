import { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { BrowserWindow } from "electron";
import { expect, it } from "vitest";
import { keepWindowState, readWindowState } from "../../../../main/app/window/window-state.ts";
import type { MenuItemConstructorOptions } from "electron";
import { menuTemplate } from "../../../../main/app/menu/menu.ts";
import { menuTexts } from "../../../../main/app/menu/menu-texts.ts";
import { folderForFile } from "../../../fixtures/folders.ts";

const dataDir = folderForFile();
const display = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };

it("restores the window's bounds, unless they are no longer reachable", () => {
  const close = (bounds: { x: number; y: number; width: number; height: number }, isMaximized = false) => {
    const window = Object.assign(new EventEmitter(), { getNormalBounds: () => bounds, isMaximized: () => isMaximized });
    keepWindowState(window as unknown as BrowserWindow, dataDir);
    window.emit("close");
    return readWindowState(dataDir, [display]);
  };
  expect(readWindowState(dataDir, [display])).toBeNull();
  expect(close({ x: 2000, y: 0, width: 1300, height: 800 })).toBeNull();
  expect(close({ x: 100, y: -900, width: 1300, height: 800 })).toBeNull();
  expect(close({ x: 10, y: 10, width: 100, height: 800 })).toBeNull();
  expect(close({ x: -1100, y: 20, width: 1300, height: 800 }, true)).toEqual({
    x: -1100,
    y: 20,
    width: 1300,
    height: 800,
    isMaximized: true,
  });
  writeFileSync(path.join(dataDir, "window.json"), "{");
  expect(readWindowState(dataDir, [display])).toBeNull();
});

it("has the same menu in all languages, with the conventions of each system", () => {
  const actions = {
    command: () => undefined,
    openFiles: () => undefined,
    openFolder: () => undefined,
    showDataFolder: () => undefined,
    quit: () => undefined,
  };
  const shape = (locale: string, platform: NodeJS.Platform) =>
    menuTemplate(menuTexts("system", locale), actions, { platform, isPackaged: true }).map(
      ({ submenu }) => (submenu as unknown[] | undefined)?.length,
    );
  expect(shape("de-DE", "win32")).toEqual(shape("en-GB", "win32"));
  expect(shape("fr-FR", "darwin")).toEqual(shape("de-AT", "darwin"));
  const labels = (platform: NodeJS.Platform) =>
    menuTemplate(menuTexts("en", "de"), actions, { platform, isPackaged: true }).map(({ label }) => label);
  expect(labels("darwin")).toEqual(["Corvet", "File", "Edit", "View", "Window", "Help"]);
  expect(labels("linux")).toEqual(["File", "Edit", "View", "Window", "Help"]);
  expect(
    JSON.stringify(menuTemplate(menuTexts("en", "en"), actions, { platform: "linux", isPackaged: true })),
  ).not.toContain("toggleDevTools");
  const items = (["linux", "darwin"] as const).flatMap((platform) =>
    menuTemplate(menuTexts("de", "en"), actions, { platform, isPackaged: true }).flatMap(
      ({ submenu }) => submenu as MenuItemConstructorOptions[],
    ),
  );
  const labelled = items.filter(({ type }) => type !== "separator");
  expect(labelled.filter(({ label }) => !label)).toEqual([]);
  expect(labelled.find(({ role }) => role === "selectAll")?.label).toBe("Alles auswählen");
});
