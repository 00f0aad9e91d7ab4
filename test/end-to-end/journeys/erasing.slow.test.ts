import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createPatient, downloadBy, openFilms } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { answer, ask, phantom, refuse } from "../program.ts";

const { test } = startJourney(async (page: Page) => {
  const [film] = await openFilms(page, [phantom("dog-01.jpg")]);
  const { id } = await createPatient(page, "Bella", { owner: "M. Sommer", uuid: "bella-7" });
  await ask(page, "films.assignPatient", { filmIds: [film!.id], patientId: id });
});

test("exports all data of a patient as a ZIP with a neutral name", async ({ page }) => {
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bella/ }).first().click();
  await page.getByRole("heading", { name: "Bella" }).waitFor();
  await page.getByRole("button", { name: "Export all data" }).click();
  const question = page.getByRole("alertdialog", { name: "With names or without?" });
  const download = await downloadBy(page, () => question.getByRole("button", { name: "With names" }).click());
  expect(download.suggestedFilename()).toMatch(/^corvet-patient-\d{4}-\d\d-\d\d\.zip$/);
});

test("reports that the preview failed, and does not erase", async ({ page }) => {
  await refuse(page, "patients.holdings", "STORE_BUSY");
  await page.getByRole("button", { name: "Erase…" }).click();
  await page.getByRole("dialog", { name: "Erase Bella?" }).locator(".notice.fault").waitFor();
  await page.keyboard.press("Escape");
  await page.unroute("**/app/call/patients.holdings");
});

test("lists local data besides a database separately from copies, which are to be deleted", async ({ page }) => {
  const goes = { films: 1, readings: 1, measurements: 0, screenings: 0 };
  const value = { goes, billing: 0, accounts: [], backups: ["corvet-1.db"], ownData: ["corvet.db", "films/"] };
  await answer(page, "patients.holdings", value);
  await page.getByRole("button", { name: "Erase…" }).click();
  const notices = page.getByRole("dialog", { name: "Erase Bella?" }).locator(".notice");
  await notices.nth(1).waitFor();
  const [copies, own] = await notices.allInnerTexts();
  expect(copies).toMatch(/^1 copy of the data may still contain this patient; delete it .*:\s*corvet-1\.db$/);
  expect(own).toMatch(
    /^This computer also stores data outside .* that may contain this patient:\s*corvet\.db\s*films\/$/,
  );
  await page.keyboard.press("Escape");
  await page.unroute("**/app/call/patients.holdings");
});

test("lists erased and kept data, and requires a reason and the name", async ({ page }) => {
  await page.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase Bella?" });
  await dialog.getByText("Deleted: 1 film, 1 reading").waitFor();
  const erase = dialog.getByRole("button", { name: "Erase permanently" });
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByLabel("Reason to record in the statement").fill("The owner asked for it");
  await dialog.getByLabel("Type “Bella” to confirm").fill("bella");
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await ask(page, "patients.list", {})).total).toBe(1);
});

test("removes an erased patient from every page, with a statement in a valid ledger", async ({ page }) => {
  await page.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase Bella?" });
  await dialog.getByLabel("Reason to record in the statement").fill("The owner asked for it");
  await dialog.getByLabel("Type “Bella” to confirm").fill("Bella");
  await dialog.getByRole("button", { name: "Erase permanently" }).click();
  await page.getByText("Patient erased").waitFor();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Bella" }).waitFor({ state: "detached" });
  expect([(await ask(page, "patients.list", {})).total, (await ask(page, "films.list", {})).total]).toEqual([0, 0]);
  await page.keyboard.press("Alt+1");
  expect(await page.getByTestId("film").count()).toBe(0);
  await page.keyboard.press("Alt+6");
  await page.getByRole("button", { name: "Verify chain" }).click();
  await page
    .getByText(/A patient was erased by a user who was not signed in, .* \(erased-[0-9a-f]+\): The owner asked for it/)
    .waitFor();
  await page.getByRole("tab", { name: "Entries" }).click();
  const statement = page.getByRole("row", { name: /Statement/ });
  await statement.waitFor();
  // A statement belongs to no call, so it has no service, call type, tier, price or UUID.
  expect((await statement.getByRole("cell").allInnerTexts()).toSpliced(1, 2)).toEqual([
    "—",
    "—",
    "Statement",
    "—",
    "—",
    "—",
    "—",
  ]);
});
