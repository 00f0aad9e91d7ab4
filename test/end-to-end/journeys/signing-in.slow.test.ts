import { expect } from "vitest";
import type { Page } from "playwright-core";
import { axeFaults, downloadBy, drag, middleOf, openRow, openSettings } from "../actions.ts";
import { ask } from "../program.ts";
import { openBella } from "../prepared.ts";
import { startJourney } from "../journey.ts";

const { test } = startJourney(async (page) => {
  await openBella(page, 1);
  // Before sign-in is turned on, which starts the timer of the idle lock.
  await page.clock.install();
});
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

const people = [
  ["Dr Sommer", "administrator", "rollo-2241"],
  ["Dr Weber", "veterinarian", "471100"],
  ["Kim Reuter", "assistant", "081500"],
] as const;

/** Switches the user: a shortcut opens the choice, a digit selects from the list in order of names, then the PIN. */
async function switchTo(page: Page, digit: number, secret: string): Promise<void> {
  await page.keyboard.press("u");
  const dialog = page.getByRole("dialog", { name: "Switch user" });
  // The focus may still return to the menu that was closed before.
  await dialog.getByRole("button", { name: people[0][0] }).press(String(digit));
  await dialog.getByLabel("PIN or password").fill(secret);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("adds a user, and turns sign-in on once an administrator signs in with it", async ({ page }) => {
  await openSettings(page, "Users");
  expect(await page.getByRole("button", { name: "Turn sign-in on" }).isDisabled()).toBe(true);
  const [[name, role, secret], ...others] = people;
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByLabel("PIN or password").fill(secret);
  await dialog.getByLabel("Repeat").fill(secret);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name }).waitFor();
  for (const [other, roleOfOther, pin] of others)
    await ask(page, "people.add", { name: other, role: roleOfOther, secret: pin });
  await page.getByRole("button", { name: "Turn sign-in on" }).click();
  await dialog.getByLabel("PIN or password").fill("0000");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText("The PIN or password is wrong").waitFor();
  await dialog.getByLabel("PIN or password").fill(secret);
  await dialog.getByRole("button", { name: "Turn sign-in on" }).click();
  await page.getByRole("button", { name: "Signed in: Dr Sommer" }).waitFor();
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByText("The PIN or password is wrong").count()).toBe(0);
  expect(await axeFaults(page, wcag)).toEqual([]);
  const lockAfter = page.getByLabel("Lock after");
  await lockAfter.fill("0");
  await page.getByText("Enter a whole number from 1 to 480").waitFor();
  await lockAfter.fill("30");
  expect((await ask(page, "people.list", {})).lockAfterMinutes).toBe(10);
  await lockAfter.blur();
  await expect.poll(async () => (await ask(page, "people.list", {})).lockAfterMinutes).toBe(30);
});

test("saves a field before the idle screen locks", async ({ page }) => {
  await openSettings(page, "General");
  const clinic = page.getByLabel("Practice", { exact: true });
  await clinic.fill("Sommer clinic");
  await clinic.press("Home");
  await page.clock.fastForward("29:40");
  await expect.poll(async () => (await ask(page, "settings.get", {})).clinicName).toBe("Sommer clinic");
  // The user continues typing at the caret; elsewhere, the keys would be shortcuts.
  await page.keyboard.type("New ");
  expect(await clinic.inputValue()).toBe("New Sommer clinic");
  await page.getByRole("button", { name: "Signed in: Dr Sommer" }).waitFor();
  await clinic.blur();
});

test("shows only who may sign in on a locked screen, and rejects a wrong PIN", async ({ page }) => {
  await page.keyboard.press("Shift+L");
  await page.getByRole("heading", { name: "Who is signing in?" }).waitFor();
  expect(await page.locator("body").innerText()).not.toMatch(/Bella|VHS|Worklist/);
  await expect(ask(page, "films.list", {})).rejects.toThrow();
  expect(await axeFaults(page, wcag)).toEqual([]);
  await page.getByLabel("PIN or password").fill("0000");
  await page.keyboard.press("Enter");
  await page.getByText("The PIN or password is wrong").waitFor();
  await page.getByLabel("PIN or password").fill("rollo-2241");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Signed in: Dr Sommer" }).waitFor();
});

test("shows an assistant films and own settings, without signing", async ({ page }) => {
  await switchTo(page, 3, "081500");
  await page.getByRole("button", { name: "Signed in: Kim Reuter" }).waitFor();
  await page.keyboard.press("Alt+1");
  await openRow(page, "Bella");
  await page.getByText("Your role does not include signing readings.").waitFor();
  expect(await page.getByRole("button", { name: "Ledger" }).count()).toBe(0);
  // Assistants may not remove films.
  await page.getByTestId("film").first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "Select multiple" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Remove from worklist" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Delete");
  await expect.poll(() => page.locator(".toast").count()).toBe(0);
  await page.keyboard.press("Alt+7");
  expect(await page.getByRole("tab").allInnerTexts()).toEqual(["General", "Users", "About"]);
  await page.getByRole("tab", { name: "About" }).click();
  await page.getByRole("heading", { name: "Third-party licences" }).waitFor();
  expect(await page.getByRole("button", { name: "Save a support bundle" }).count()).toBe(0);
  // Links to administrators' settings are not offered.
  await page.keyboard.press("Alt+1");
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("menuitem", { name: "Save as DICOM" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Send to a PACS…" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
});

test("keeps unsaved findings and corrections for their author, and signs without asking for a name", async ({
  page,
}) => {
  const findings = page.getByLabel("Findings");
  await switchTo(page, 2, "471100");
  await page.keyboard.press("Alt+1");
  await openRow(page, "Bella");
  await page.getByText("Signed by Dr Weber").waitFor();
  await findings.fill("Half a sentence");
  await findings.blur();
  await page.keyboard.press("c");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  const apex = await middleOf(page, "[data-handle=heart_bottom]");
  await drag(page, apex, { x: apex.x + 12, y: apex.y + 8 });
  const moved = await middleOf(page, "[data-handle=heart_bottom]");
  // An unsaved correction is kept behind the lock.
  await page.keyboard.press("Shift+L");
  await page.getByRole("heading", { name: "Who is signing in?" }).waitFor();
  await page.getByLabel("PIN or password").fill("471100");
  await page.keyboard.press("Enter");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  await expect.poll(() => middleOf(page, "[data-handle=heart_bottom]")).toEqual(moved);
  // It is not shown to another user, and is kept for its author.
  await switchTo(page, 1, "rollo-2241");
  await page.getByText("Signed by Dr Sommer").waitFor();
  await page.getByRole("toolbar", { name: "Correction" }).waitFor({ state: "detached" });
  expect(await findings.inputValue()).toBe("");
  await switchTo(page, 2, "471100");
  await page.getByRole("toolbar", { name: "Correction" }).waitFor();
  await expect.poll(() => middleOf(page, "[data-handle=heart_bottom]")).toEqual(moved);
  expect(await findings.inputValue()).toBe("Half a sentence");
  await page.keyboard.press("Control+s");
  await page.getByTestId("version").filter({ hasText: "Corrected" }).waitFor();
  const { films } = await ask(page, "films.list", {});
  const bella = films.find(({ patient }) => patient?.name === "Bella")!;
  const { readings } = await ask(page, "films.get", { filmId: bella.id });
  expect(readings.at(-1)).toMatchObject({ verdict: "corrected", who: "Dr Weber" });
});

test("finds the correction in the audit trail, filters and exports it", async ({ page }) => {
  await switchTo(page, 1, "rollo-2241");
  await page.getByRole("button", { name: "Signed in: Dr Sommer" }).waitFor();
  await openSettings(page, "Audit trail");
  const rows = page.getByTestId("audit-event");
  const corrected = rows.filter({ hasText: "Reading corrected" });
  await corrected.waitFor();
  expect(await corrected.innerText()).toMatch(/Dr Weber[^]*Bella/);
  await expect.poll(() => rows.filter({ hasText: "Wrong PIN" }).count()).toBe(2);
  await page.getByLabel("Who").fill("weber");
  await rows.filter({ hasText: "Dr Sommer" }).first().waitFor({ state: "detached" });
  await page.getByLabel("What").selectOption("reading.corrected");
  await expect.poll(() => rows.count()).toBe(1);
  // The patient search here is independent of searches elsewhere.
  await page.getByRole("button", { name: "Patient All patients" }).click();
  const dialog = page.getByRole("dialog", { name: "Patient" });
  await dialog.getByRole("searchbox").fill("bell");
  await dialog.getByRole("button", { name: "Bella" }).click();
  await page.getByRole("button", { name: "Patient Bella" }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel("To date").fill("2020-05-03");
  await rows.first().waitFor({ state: "detached" });
  await page.getByLabel("To date").fill("");
  await expect.poll(() => rows.count()).toBe(1);
  expect(await axeFaults(page, wcag)).toEqual([]);
  const download = await downloadBy(page, () => page.getByRole("button", { name: "Save as CSV" }).click());
  expect(download.suggestedFilename()).toBe("audit-trail.csv");
});
