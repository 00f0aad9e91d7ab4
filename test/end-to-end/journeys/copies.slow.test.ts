import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { startJourney } from "../journey.ts";
import { createPatient, openSettings } from "../actions.ts";
import { ask, openWindow } from "../program.ts";

const folder = folderForFile();
const { program, browser, test } = startJourney();
const passphrase = "three small cats";

test("reports an unusable folder of the second place, and a missing passphrase", async ({ page }) => {
  await openSettings(page, "Data and backups");
  await page.getByLabel("Folder on another disk or on the network").fill(path.join(folder, "nowhere"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Backup folder not found").waitFor();
  await page.getByLabel("Folder on another disk or on the network").fill(folder);
  await page.getByRole("switch", { name: "With films" }).click();
  await page.getByRole("switch", { name: "Encrypted" }).click();
  // Input is kept while another page is shown, except for a secret.
  await page.getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await page.getByRole("tab", { name: "Folders" }).click();
  await page.getByRole("tab", { name: "Data and backups" }).click();
  expect(await page.getByLabel("Folder on another disk or on the network").inputValue()).toBe(folder);
  expect(await page.getByLabel("Passphrase", { exact: true }).inputValue()).toBe("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Encrypted copies need a passphrase").waitFor();
  const save = page.getByRole("button", { name: "Save", exact: true });
  for (const [first, second] of [
    ["3 cats", "3 cats"],
    [passphrase, "three smal cats"],
  ] as const) {
    await page.getByLabel("Passphrase", { exact: true }).fill(first);
    await page.getByLabel("Repeat").fill(second);
    expect(await save.isDisabled()).toBe(true);
  }
  await page.getByLabel("Repeat").fill(passphrase);
  await save.click();
  await page.getByText("Second location saved").waitFor();
  expect(await ask(page, "backups.plan", {})).toEqual({ folder, withFilms: true, isEncrypted: true });
});

test("writes an encrypted copy of a backup, which opens only with its passphrase", async ({ page }) => {
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith(".corvet"))).toHaveLength(1);
  const copy = page.getByRole("row").last();
  const field = page.getByLabel("Passphrase of the copy");
  await field.waitFor();
  expect(await copy.getByRole("button", { name: "Verify" }).isDisabled()).toBe(true);
  await field.fill("four small cats");
  await copy.getByRole("button", { name: "Verify" }).click();
  await page.getByText("The passphrase does not open the backup").waitFor();
  await field.fill(passphrase);
  await copy.getByRole("button", { name: "Verify" }).click();
  await page.getByText("Verified: 0 ledger rows").waitFor();
});

test("replaces the store by the copy at the next start", async ({ page }) => {
  await createPatient(page, "Later");
  const copy = page.getByRole("row").last();
  await copy.getByRole("button", { name: "Restore" }).click();
  await page.getByRole("alertdialog").getByText("films in it that are missing here").waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("Corvet restores the backup of").waitFor();
  expect((await ask(page, "patients.list", {})).total).toBe(1);
  await page.close();
  await program().close();
  await program().openAgain();
  const again = await openWindow(browser(), await program().newAddress());
  expect((await ask(again.page, "patients.list", {})).total).toBe(0);
  await again.context.close();
});
