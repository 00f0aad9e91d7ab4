import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { folderForFile, folderForTest } from "../../fixtures/folders.ts";
import { phantomFromJpeg } from "../../main/dicom/phantom-film.ts";
import { axeFaults, openRow, openSettings } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask, hold, phantom } from "../program.ts";

const root = folderForFile();
const { test } = startJourney(undefined, () => openProgram({ pollMs: 100 }));
const [inbox, outbox] = [path.join(root, "Inbox"), path.join(root, "Results")];
for (const folder of [inbox, outbox]) mkdirSync(folder);

const results = () =>
  readdirSync(outbox)
    .filter((name) => !name.startsWith("."))
    .sort();

test("sets folders in the window, and rejects a nested one with a message", async ({ page }) => {
  await openSettings(page, "Folders");
  await page.getByRole("button", { name: "Add a folder" }).click();
  await page.getByLabel("Folder 1, full path").fill(inbox);
  await page.getByLabel("Folder for results, full path").fill(path.join(inbox, "below"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const results = page.getByLabel("Folder for results, full path");
  const refused = page.getByRole("alert").getByText(/One folder must not be inside the other/);
  await refused.first().waitFor();
  await results.and(page.locator("[aria-invalid=true]")).waitFor();
  await results.fill("relative/path");
  expect(await refused.count()).toBe(0);
  await results.press("Enter");
  await page.getByRole("alert").getByText("Enter the full path of the folder: relative/path").waitFor();
  expect(await page.locator("[aria-invalid=true]").count()).toBe(1);
  await expect.poll(() => page.locator(".toast.fault").count()).toBe(0);
  await results.fill(outbox);
  for (const [format, isOn] of [
    ["JSON", true],
    ["Handout (PDF)", true],
    ["HL7 result (ORU^R01)", false],
  ] as const) {
    const field = page.getByRole("switch", { name: format });
    if ((await field.isChecked()) !== isOn) await field.click();
  }
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Since the program started: 0 opened, 0 failed, 0 waiting").waitFor();
  await page.locator("button:focus").filter({ hasText: "Save" }).waitFor();
  await page.getByRole("button", { name: "Add a folder" }).click();
  await page.getByLabel("Folder 2, full path").waitFor();
  await page.getByRole("button", { name: "Remove" }).last().click();
  await page.locator("button:focus").filter({ hasText: "Add a folder" }).waitFor();
  expect(await page.getByLabel("Folder 2, full path").count()).toBe(0);
  expect(await axeFaults(page, ["label", "color-contrast", "button-name"])).toEqual([]);
  // Another window changes the outbox; this page shows it, since its own input has been saved.
  const { settings } = await ask(page, "folders.get", {});
  const field = page.getByLabel("Folder for results, full path");
  const elsewhere = folderForTest();
  await ask(page, "folders.save", { ...settings, outbox: elsewhere });
  await expect.poll(() => field.inputValue()).toBe(elsewhere);
  await field.fill(outbox);
  // The events of this page's save and of the next one elsewhere arrive together.
  const releaseBoth = await hold(page, "folders.get");
  const saved = page.waitForResponse("**/app/call/folders.save");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved;
  await ask(page, "folders.save", { ...settings, outbox: elsewhere });
  releaseBoth();
  await expect.poll(() => field.inputValue()).toBe(elsewhere);
  await ask(page, "folders.save", { ...settings, outbox });
  await expect.poll(() => field.inputValue()).toBe(outbox);
  // Text typed during a save stays, although the event of the save arrives.
  const releaseSave = await hold(page, "folders.save");
  await page.getByRole("switch", { name: "CSV" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await field.fill(elsewhere);
  releaseSave();
  await expect.poll(async () => (await ask(page, "folders.get", {})).settings.formats).toContain("csv");
  await page.getByRole("button", { name: "Add a folder" }).click();
  expect([await page.getByLabel("Folder 2, full path").count(), await field.inputValue()]).toEqual([1, elsewhere]);
  await ask(page, "folders.save", { ...settings, outbox });
  await expect.poll(() => field.inputValue()).toBe(outbox);
});

test("opens, measures and moves a new film, and writes its results to the outbox", async ({ page }) => {
  const facts = { instance: "1.2.276.88.1", patientId: "P-4711", patientName: "Sommer^Bella" };
  writeFileSync(path.join(inbox, "bella.dcm"), await phantomFromJpeg(phantom("dog-01.jpg"), facts));
  writeFileSync(path.join(inbox, "letter.jpg"), "");
  await expect
    .poll(results)
    .toEqual([expect.stringMatching(/^bella-[0-9a-f]{8}\.json$/), expect.stringMatching(/^bella-[0-9a-f]{8}\.pdf$/)]);
  expect([existsSync(path.join(inbox, "done", "bella.dcm")), existsSync(path.join(inbox, "bella.dcm"))]).toEqual([
    true,
    false,
  ]);
  await page.getByText(/^Since the program started: 1 opened, 0 failed/).waitFor();
  await page.getByText(/Nothing pending; last written/).waitFor();
  await page.keyboard.press("Alt+1");
  await openRow(page, "Bella");
  await page.getByTestId("vhs").waitFor();
});

test("saves that results of films opened in the window are written too", async ({ page }) => {
  const served = page.getByRole("switch", { name: "Also for films opened any other way" });
  await openSettings(page, "Folders");
  await served.click();
  await page.getByText(/^For films opened from/).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => (await ask(page, "folders.get", {})).settings.allFilmsSince).not.toBeNull();
});
