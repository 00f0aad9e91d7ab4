import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { startJourney } from "../journey.ts";
import { ask, openWindow } from "../program.ts";

/** The data are encrypted on the disk, from the settings. */
const keys = mkdtempSync(path.join(tmpdir(), "corvet-keys-"));
process.env["CORVET_KEYS_DIR"] = keys;
const { window, program, browser } = startJourney();
afterAll(() => rmSync(keys, { recursive: true, force: true }));

test("a recovery key is shown until it is written down, and the next start encrypts the data", async () => {
  const { page } = window();
  await ask(page, "patients.create", { name: "Bella", species: "dog", breed: "", owner: "", uuid: null });
  await page.keyboard.press("Alt+6");
  await page.getByRole("tab", { name: "Data and backups" }).click();
  await page.getByRole("button", { name: "Encrypt", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Encrypt", exact: true }).click();
  const recoveryKey = page.getByText(/(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/);
  await recoveryKey.waitFor();
  // The program tells it once: it stays until somebody says that they have it.
  await page.getByRole("tab", { name: "Practice" }).click();
  await page.getByRole("tab", { name: "Data and backups" }).click();
  await recoveryKey.waitFor();
  await page.getByRole("button", { name: "I have written it down" }).click();
  await recoveryKey.waitFor({ state: "detached" });
  await page.getByText("Restart Corvet to encrypt the data").waitFor();
  const { place } = await ask(page, "encryption.get", {});
  expect(readFileSync(place, "utf8")).toMatch(/^(?:[0-9A-Z]{4}-){13}/);
  await page.close();
  await program().kill();
  await program().startAgain();
  const again = await openWindow(browser(), await program().newAddress());
  const state = () => ask(again.page, "encryption.get", {});
  await expect.poll(state).toMatchObject({ isEncrypted: true, isWanted: true, isDone: true });
  expect((await ask(again.page, "patients.list", {})).total).toBe(1);
  await again.context.close();
});
