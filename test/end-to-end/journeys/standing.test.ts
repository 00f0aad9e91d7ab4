import { expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { axeFaults, dropFiles } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask, phantom } from "../program.ts";

const packsDir = folderForFile();
const { browser, program, test } = startJourney(undefined, () => openProgram({ packsDir }));

test("explains how to get a new link without the printed address, and accepts that link", async () => {
  const context = await browser().newContext({ locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(program().origin);
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
  await page.getByText("For a new link, start Corvet again while it is running: npm start").waitFor();
  // In the same tab, only the fragment changes.
  await page.goto(await program().newAddress());
  await page.getByRole("heading", { name: "Drop a radiograph anywhere" }).waitFor();
  await context.close();
});

test("opens films for manual measurement without packs, and reports a stopped program", async ({ page }) => {
  await page.getByText("No model pack: manual measurement only").waitFor();
  for (const theme of ["light", "dark"] as const) {
    await ask(page, "settings.save", { theme });
    await page.locator(`html[data-theme=${theme}]`).waitFor();
    expect(await axeFaults(page, ["color-contrast"])).toEqual([]);
  }
  await dropFiles(page, [phantom("dog-01.jpg")]);
  await page.getByRole("button", { name: "Measure manually" }).click();
  await page.getByText("Click: Base of the heart").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+3");
  await page.getByRole("heading", { name: "No screening model is loaded" }).waitFor();
  await page.keyboard.press("Alt+4");
  await page.getByRole("heading", { name: "The model pack for photographs of screens is not loaded" }).waitFor();
  await page.getByRole("button", { name: "Open model packs" }).click();
  await page.getByRole("tab", { name: "Model packs", selected: true }).waitFor();
  await program().close();
  await page.getByText("Corvet is not responding").first().waitFor();
});
