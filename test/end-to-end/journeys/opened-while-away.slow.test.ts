import { expect, test } from "vitest";
import { startJourney } from "../journey.ts";

const { window, program } = startJourney();

async function goAway(): Promise<void> {
  await program().close();
  await window().page.getByRole("alert").getByText("Corvet is not responding").waitFor();
}

async function comeBack(): Promise<void> {
  await program().openAgain();
  await window().page.getByText("Connected").waitFor();
}

test("keeps a section first opened without a connection loading, and shows it after the reconnect", async () => {
  const { page } = window();
  await page.reload();
  await page.getByText("Connected").waitFor();
  await goAway();
  await page.keyboard.press("Alt+3");
  const missing = page.locator(".screen");
  await missing.getByText("Loading…").waitFor();
  expect(await page.locator(".screen").getByText("Corvet is not responding").count()).toBe(0);
  // The manual loads later too, and the page around it stays.
  await page.keyboard.press("F1");
  await missing.getByText("Loading…").waitFor();
  await comeBack();
  await page.getByRole("dialog", { name: "Manual" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Paste lab results").waitFor();
  const columns = page.locator(".usg-columns");
  expect(await columns.evaluate((element) => getComputedStyle(element).display)).toBe("grid");
});

test.each([
  ["Data and backups", "Back up now"],
  ["About", "Save a support bundle"],
])("refetches settings of %s that were opened without a connection", async (tab, button) => {
  const { page } = window();
  await page.keyboard.press("Alt+7");
  await page.getByRole("tab", { name: "General" }).click();
  await goAway();
  await page.getByRole("tab", { name: tab }).click();
  await page.locator(".screen").getByText("Loading…").first().waitFor();
  expect(await page.locator(".screen").getByText("Corvet is not responding").count()).toBe(0);
  await comeBack();
  await page.getByRole("button", { name: button }).waitFor();
  await expect.poll(() => page.locator(".screen").getByRole("alert").count()).toBe(0);
});
