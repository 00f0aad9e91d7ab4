import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openFilms } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { ask, openWindow, phantom } from "../program.ts";

const { browser, program, test } = startJourney();

/** Tabs of the settings with a button that needs data of the service. */
const tabs = [
  ["Data and backups", "Back up now"],
  ["About", "Save a support bundle"],
] as const;

test("keeps sections first opened without a connection loading, and shows them after the reconnect", async ({
  page,
}) => {
  const settings: { page: Page; complaints: readonly string[]; tab: string; button: string }[] = [];
  for (const [tab, button] of tabs) {
    const other = await openWindow(browser(), await program().newAddress());
    settings.push({ ...other, tab, button });
    await other.page.keyboard.press("Alt+7");
    await other.page.getByRole("tab", { name: "General", selected: true }).waitFor();
  }
  const pages = [page, ...settings.map((each) => each.page)];
  await program().close();
  for (const each of pages) await each.getByRole("alert").getByText("Corvet is not responding").waitFor();
  await page.keyboard.press("Alt+3");
  // The manual loads later too, and the page around it stays.
  await page.locator(".screen").getByText("Loading…").waitFor();
  await page.keyboard.press("F1");
  await page.locator(".screen").getByText("Loading…").waitFor();
  for (const each of settings) await each.page.getByRole("tab", { name: each.tab }).click();
  for (const each of pages) {
    await each.locator(".screen").getByText("Loading…").first().waitFor();
    expect(await each.locator(".screen").getByText("Corvet is not responding").count()).toBe(0);
  }
  await program().openAgain();
  for (const each of pages) await each.getByText("Connected").waitFor();
  await page.getByRole("dialog", { name: "Manual" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Paste lab results").waitFor();
  const columns = page.locator(".usg-columns");
  expect(await columns.evaluate((element) => getComputedStyle(element).display)).toBe("grid");
  for (const { page: other, complaints, button } of settings) {
    await other.getByRole("button", { name: button }).waitFor();
    await expect.poll(() => other.locator(".screen").getByRole("alert").count()).toBe(0);
    expect(complaints).toEqual([]);
  }
});

test("loads the open film after the reconnect, if it failed to load before", async ({ page }) => {
  await ask(page, "settings.save", { measuresOnArrival: false });
  await page.keyboard.press("Alt+1");
  await page.route("**/pixels*", (route) => route.abort());
  await openFilms(page, [phantom("cat-01.jpg")]);
  await page.getByTestId("film").getByRole("button").first().click();
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.waitFor();
  await page.unroute("**/pixels*");
  await program().close();
  await page.getByRole("alert").getByText("Corvet is not responding").waitFor();
  await program().openAgain();
  await retry.waitFor({ state: "detached" });
});
