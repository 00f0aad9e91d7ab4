import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { startJourney } from "../journey.ts";
import { createPatient, openSettings } from "../actions.ts";
import { ask } from "../program.ts";

process.env["CORVET_KEYS_DIR"] = folderForFile();
const { window, program, test } = startJourney();

const shownKey = (page: Page) => page.getByText(/(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/);

async function turn(page: Page, name: "Encrypt" | "Decrypt"): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name, exact: true }).click();
}

const confirm = (page: Page) => page.getByRole("button", { name: "I have written it down" }).click();

test("plans nothing before the recovery key is confirmed, and drops the offer once another window did so", async () => {
  const { page, context } = window();
  const other = await context.newPage();
  await other.goto(program().origin);
  for (const each of [page, other]) await openSettings(each, "Data and backups");
  await turn(page, "Encrypt");
  await shownKey(page).waitFor();
  expect(await shownKey(other).count()).toBe(0);
  expect(await ask(page, "encryption.get", {})).toMatchObject({ isWanted: false });
  await turn(other, "Encrypt");
  await shownKey(other).waitFor();
  await confirm(other);
  await page.getByText("Restart Corvet to encrypt the data").waitFor();
  await shownKey(page).waitFor({ state: "detached" });
  await turn(other, "Decrypt");
  await page.getByRole("button", { name: "Encrypt", exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await shownKey(page).waitFor({ state: "detached" });
  await other.close();
});

test("shows a recovery key until it is written down, and encrypts the data at the next start", async ({ page }) => {
  await createPatient(page, "Bella");
  await openSettings(page, "Data and backups");
  await turn(page, "Encrypt");
  const recoveryKey = shownKey(page);
  await recoveryKey.waitFor();
  await page.getByRole("tab", { name: "Database" }).click();
  await page.getByRole("tab", { name: "Data and backups" }).click();
  await recoveryKey.waitFor();
  await confirm(page);
  await recoveryKey.waitFor({ state: "detached" });
  await page.getByText("Restart Corvet to encrypt the data").waitFor();
  const { place } = await ask(page, "encryption.get", {});
  expect(readFileSync(place, "utf8")).toMatch(/^(?:[0-9A-Z]{4}-){13}/);
  await program().close();
  await program().openAgain();
  await page.getByText("Connected").waitFor();
  await expect
    .poll(() => ask(page, "encryption.get", {}))
    .toMatchObject({ isEncrypted: true, isWanted: true, isDone: true });
  expect((await ask(page, "patients.list", {})).total).toBe(1);
});
