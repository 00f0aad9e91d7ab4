import path from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { arrived, axeFaults, chooseInMenu, goTo, openFilms, openRow } from "../actions.ts";
import { ask } from "../program.ts";
import { openBella, writeLuna, writeMio } from "../prepared.ts";
import { startJourney } from "../journey.ts";

async function studyStates(page: Page, check: (state: string) => Promise<void>): Promise<void> {
  const inStudy = page.locator(".film-row.of-study");
  await page.getByRole("searchbox").fill("");
  await inStudy.filter({ hasText: "I0004" }).getByRole("button").first().click();
  await page.getByText("Not measured: view DV").waitFor();
  await check("study, film left alone");
  await chooseInMenu(page, inStudy.filter({ hasText: "I0004" }), "File details…");
  await page.getByRole("dialog").waitFor();
  await check("what the file says");
  await page.keyboard.press("Escape");
  await chooseInMenu(page, page.getByTestId("film").filter({ hasText: "Frame 1 of 3" }), "Choose a frame…");
  await page.getByRole("button", { name: "Frame 2 of 3" }).waitFor();
  await check("frames");
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await page.getByTestId("crosshair").waitFor();
  await check("crosshair");
  await page.keyboard.press("Escape");
}

const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

const { test } = startJourney(async (page) => {
  await openBella(page, 3);
  // The two films of Luna's study that are not measured.
  const { folder } = await writeLuna();
  await openFilms(
    page,
    ["I0003", "I0004"].map((name) => path.join(folder, "IMG", name)),
  );
  await openFilms(page, [path.join(writeMio(), "LOOP")]);
  await ask(page, "settings.save", { userName: "Dr Weber" });
});

test("is accessible in its main states in both themes", async ({ page }) => {
  const faults: string[] = [];
  const check = async (state: string) => {
    const found = await axeFaults(page, everyRule);
    faults.push(...found.map((fault) => `${state}: ${fault}`));
  };
  // The themes differ only in their colours; test/renderer/ui/token-contrast.test.ts compares those of the tokens.
  const checkBothThemes = async (state: string) => {
    await check(state);
    const setTheme = (theme: string) =>
      page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
    await setTheme("light");
    const found = await axeFaults(page, ["color-contrast"]);
    faults.push(...found.map((fault) => `${state}, light: ${fault}`));
    await setTheme("dark");
  };
  await page.locator("html[data-theme=dark]").waitFor();
  await page.keyboard.press("Alt+1");
  await openRow(page, "dog-03.jpg");
  await checkBothThemes("film");
  await page.keyboard.press("c");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  await checkBothThemes("correction");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await checkBothThemes("shortcuts");
  await page.keyboard.press("Escape");
  await studyStates(page, check);
  for (const [keys, state] of [
    ["Alt+2", "trends"],
    ["Alt+3", "urine"],
    ["Alt+4", "capture"],
    ["Alt+6", "ledger"],
    ["Alt+5", "agreement"],
    ["Alt+7", "settings"],
  ] as const) {
    await goTo(page, keys);
    await checkBothThemes(state);
  }
  for (const tab of ["Local service", "DICOM", "Reference ranges", "Model packs", "Data and backups", "About"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tab", { name: tab, selected: true }).waitFor();
    await arrived(page);
    await check(tab);
  }
  expect(faults).toEqual([]);
});

test("opens menus, popovers, tooltips and the drop area within a landmark or dialog, and returns focus", async ({
  page,
}) => {
  await goTo(page, "Alt+1");
  await openRow(page, "Bella");
  const faults: string[] = [];
  const check = async (state: string) => {
    const found = await axeFaults(page, ["region", "aria-hidden-focus"]);
    faults.push(...found.map((fault) => `${state}: ${fault}`));
  };
  for (const [name, opened] of [
    ["Share", page.getByRole("menu")],
    ["Overlay", page.getByRole("dialog", { name: "Overlay" })],
  ] as const) {
    const opener = page.getByRole("button", { name, exact: true });
    await opener.click();
    await opened.waitFor();
    await check(name);
    await page.keyboard.press("Escape");
    await opened.waitFor({ state: "detached" });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await page.locator(".tooltip").count()).toBe(0);
  }
  await page.locator(".rail .place").first().hover();
  await page.locator(".tooltip").waitFor();
  await check("tooltip");
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], "film.jpg"));
    document.body.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }));
  });
  await page.locator(".drop-zone").waitFor();
  await check("drop area");
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  // Radix ignores the first move after leaving another tooltip.
  await page.mouse.move(1, 1);
  await dialog.getByRole("button", { name: "Close" }).hover();
  await dialog.locator(".tooltip").waitFor();
  await check("tooltip in a dialog");
  await page.keyboard.press("Escape");
  expect(faults).toEqual([]);
});
