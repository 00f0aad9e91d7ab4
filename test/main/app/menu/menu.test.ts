import { expect, it } from "vitest";
import type { MenuItemConstructorOptions } from "electron";
import { menuTemplate } from "../../../../main/app/menu/menu.ts";
import { menuTexts } from "../../../../main/app/menu/menu-texts.ts";

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
