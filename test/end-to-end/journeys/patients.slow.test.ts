import { expect } from "vitest";
import { openBella } from "../prepared.ts";
import { axeFaultsInBothThemes, createPatient, openRow } from "../actions.ts";
import { ask, refuse } from "../program.ts";
import { startJourney } from "../journey.ts";

const { test } = startJourney(async (page) => {
  await openBella(page, 3);
  const { films } = await ask(page, "films.list", { search: "dog-02" });
  const twin = await createPatient(page, "Bella S.", { uuid: "S-9" });
  await ask(page, "films.assignPatient", { filmIds: [films[0]!.id], patientId: twin.id });
});

test("edits a patient in Trends, and shows the age on the film", async ({ page }) => {
  await page.keyboard.press("Alt+2");
  await page.locator(".trends-patients .patient-row").filter({ hasText: "M. Sommer" }).click();
  await page.getByRole("button", { name: "Edit patient" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit patient" });
  await dialog.getByLabel("Sex").selectOption("female");
  await dialog.getByLabel("Neutered").selectOption("yes");
  await dialog.getByLabel("Date of birth").fill("2030-01-05");
  await dialog.getByText("Check the year").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.locator("[type=date][aria-invalid=true]:focus").waitFor();
  await dialog.getByLabel("Date of birth").fill("2019-01-05");
  // The browser's date field follows the system (en-GB); in another notation the date is spelled out.
  await ask(page, "settings.save", { language: "de" });
  await page.getByText("5. Januar 2019", { exact: true }).waitFor();
  await ask(page, "settings.save", { language: "en" });
  await page.getByText("5. Januar 2019", { exact: true }).waitFor({ state: "detached" });
  expect(await page.getByText("5 January 2019").count()).toBe(0);
  await dialog.getByLabel("Weight (kg)").fill("heavy");
  await dialog.getByText("Enter a weight in kilograms").waitFor();
  // A mistyped weight is not saved as a missing one.
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.locator("[aria-invalid=true]:focus").waitFor();
  await dialog.getByLabel("Weight (kg)").fill("8.4");
  await dialog.getByLabel("Microchip").fill("276098106123456");
  await dialog.getByLabel("Owner").fill("M.\tSommer");
  expect(await dialog.getByLabel("Owner").inputValue()).toBe("M. Sommer");
  // Without its day the date has no value, which would delete the date of birth.
  await dialog.getByLabel("Date of birth").press("Delete");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.locator("[type=date][aria-invalid=true]:focus").waitFor();
  await dialog.getByText("Enter a complete and valid date").waitFor();
  await dialog.getByLabel("Date of birth").fill("2019-01-05");
  await dialog.getByLabel("Identifier (UUID)").fill("S-9");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Another patient already has this identifier").waitFor();
  expect(await dialog.locator("[aria-invalid=true]:focus").inputValue()).toBe("S-9");
  await dialog.getByLabel("Identifier (UUID)").fill("bella-7");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator(".page-head").getByText("female neutered · 8.4 kg · bella-7").waitFor();
  const legends = await page.locator(".chart-legend").allInnerTexts();
  const range = /Reference range \d.*\sv · Cavalier King Charles Spaniel, mean ± 2\sSD\s· Bagardi et al\. 2022/;
  const rangeOfRlad = expect.stringContaining("Sánchez Salguero et al. 2018") as unknown;
  expect(legends).toEqual([expect.stringMatching(range), expect.stringMatching(range), rangeOfRlad]);
  await page.keyboard.press("Alt+1");
  await openRow(page, "Bella");
  await page
    .locator(".panel-head")
    .getByText("female neutered · 7 years at the time of the film · 8.4 kg · bella-7")
    .waitFor();
  await page.keyboard.press("Alt+2");
  await page.getByRole("searchbox").fill("276-098 106 12 3456");
  await expect.poll(() => page.locator(".trends-patients .patient-row").count()).toBe(1);
  await page.getByRole("searchbox").press("Enter");
  await page.locator(".trends-patients .patient-row:focus").press("Enter");
  await page.getByRole("searchbox").fill("");
});

test("merges two patients, and separates them again later in the session", async ({ page }) => {
  await createPatient(page, "Mia", { species: "cat" });
  const cat = page.locator(".trends-patients .patient-row").filter({ hasText: "Mia" });
  await cat.waitFor();
  await page.getByRole("button", { name: "Merge…" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge another patient into Bella" });
  await dialog.getByText("Bella S.").waitFor();
  expect(await dialog.getByText("Mia").count()).toBe(0);
  // The dialog lists only dogs; all patients are listed again once it closes.
  await page.keyboard.press("Escape");
  await cat.waitFor();
  await page.getByRole("button", { name: "Merge…" }).click();
  await dialog.getByText("Bella S.").click();
  await page.getByText("Bella S. was merged into Bella: 1 film.").waitFor();
  await cat.waitFor();
  await expect.poll(async () => (await ask(page, "patients.list", { search: "bella" })).total).toBe(1);
  expect((await ask(page, "films.list", { search: "bella-7" })).total).toBe(2);
  expect(await axeFaultsInBothThemes(page)).toEqual([]);
  await page.reload();
  await page.getByText("Connected").waitFor();
  await page.keyboard.press("Alt+2");
  await page.locator(".trends-patients .patient-row").filter({ hasText: "M. Sommer" }).click();
  await page.getByRole("button", { name: "Undo merge with Bella S." }).click();
  await expect.poll(async () => (await ask(page, "patients.list", { search: "bella" })).total).toBe(2);
  expect((await ask(page, "films.list", { search: "bella-7" })).total).toBe(1);
});

test("returns the focus from a closed dialog to its opener: a button, a row or a menu", async ({ page }) => {
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  const edit = page.getByRole("button", { name: "Edit patient" });
  const dialog = page.getByRole("dialog");
  for (const end of ["Escape", "Cancel", "Save"]) {
    await edit.focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    if (end === "Escape") await page.keyboard.press(end);
    else await dialog.getByRole("button", { name: end }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Edit patient");
  }
  await page.keyboard.press("Alt+1");
  const row = page.getByTestId("film").filter({ hasText: "dog-03" });
  await row.getByRole("button").first().click();
  await page.keyboard.press("t");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(focused).toContain("dog-03");
  const menu = row.getByRole("button", { name: /More actions for/ });
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Patient…" }).press("Enter");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""))
    .toMatch(/^More actions for .*dog-03/);
});

test("compares a patient of unknown species with dogs, as stated, and lets it become a cat", async ({ page }) => {
  const { films } = await ask(page, "films.list", { search: "dog-03" });
  const mimi = await createPatient(page, "Mimi", { species: null });
  await ask(page, "films.assignPatient", { filmIds: [films[0]!.id], patientId: mimi.id });
  await page.keyboard.press("Alt+2");
  await page.locator(".trends-patients .patient-row").filter({ hasText: "Species unknown" }).click();
  await page.getByRole("heading", { name: "Mimi" }).waitFor();
  await page.locator(".chart").first().getByText("Species unknown").waitFor();
  await page.getByRole("button", { name: "Edit patient" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit patient" });
  expect(await dialog.getByLabel("Species").inputValue()).toBe("");
  await dialog.getByLabel("Species").selectOption("Cat");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.locator(".page-head").getByText("Cat").waitFor();
  await expect.poll(() => page.locator(".chart").first().getByText("Species unknown").count()).toBe(0);
  await ask(page, "patients.edit", { patientId: mimi.id, species: null });
  await page.keyboard.press("Alt+3");
  await page.getByRole("button", { name: "Choose a cat" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Mimi/ }).click();
  await page.locator(".page-head").getByText("Mimi").waitFor();
});

test("truncates a long name, with the full name as title", async ({ page }) => {
  const name = "1.2.826.0.1.3680043.8.498.40440893847212389471023984712093847102938";
  const { id } = await createPatient(page, name, { uuid: "long" });
  const { films } = await ask(page, "films.list", { search: "dog-03" });
  await ask(page, "films.assignPatient", { filmIds: [films[0]!.id], patientId: id });
  await page.keyboard.press("Alt+1");
  await openRow(page, name);
  const head = page.locator(".panel-head");
  await head.getByTitle(name).waitFor();
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    const [panel, share] = await Promise.all([
      page.locator(".panel-scroll").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      head.getByRole("button").evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right))),
    ]);
    expect([panel, share <= width]).toEqual([0, true]);
  }
});

test("creates a new patient once, however often Assign is pressed, also after a failed assignment", async ({
  page,
}) => {
  const named = async (search: string) => (await ask(page, "patients.list", { search, limit: 10 })).patients.length;
  const film = (await ask(page, "films.list", {})).films.find(({ patient }) => patient !== null)!;
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog", { name: "Patient of this film" });
  await dialog.getByRole("searchbox").fill("Einstein");
  await dialog.getByRole("button", { name: "New patient" }).click();
  await dialog.getByLabel("Weight (kg)").fill("heavy");
  await dialog.getByRole("button", { name: "New patient" }).click();
  expect(await dialog.getByLabel("Weight (kg)").inputValue()).toBe("");
  expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Einstein");
  const taken = dialog.getByLabel("Taken on");
  const day = await taken.inputValue();
  await taken.fill("9999-12-30");
  for (const name of ["Unassign patient", "Assign"]) await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.getByText("This date is in the future").waitFor();
  expect((await ask(page, "films.get", { filmId: film.id })).film).toMatchObject({
    patient: { id: film.patient!.id },
    takenAt: film.takenAt,
  });
  await taken.fill("");
  for (const name of ["Unassign patient", "Assign"]) await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.getByText("Enter a complete and valid date").waitFor();
  await taken.fill(day);
  await refuse(page, "films.assignPatient", "INTERNAL");
  await dialog.getByRole("button", { name: "Assign", exact: true }).dblclick();
  await dialog.getByText("Something went wrong in Corvet.").waitFor();
  await page.unroute("**/app/call/films.assignPatient");
  await dialog.getByRole("button", { name: "Assign", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await named("Einstein")).toBe(1);
  await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: film.patient!.id });
});

test("creates a cat without a film from the urine screening", async ({ page }) => {
  await page.keyboard.press("Alt+3");
  await page.getByRole("button", { name: "Choose a cat" }).click();
  const choosing = page.getByRole("dialog", { name: "Choose a cat" });
  await choosing.getByRole("searchbox").fill("Minka");
  await choosing.getByRole("button", { name: "New patient" }).click();
  const dialog = page.getByRole("dialog", { name: "New patient" });
  expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Minka");
  expect(await dialog.getByLabel("Species").inputValue()).toBe("cat");
  // A double press creates one patient.
  await dialog.getByRole("button", { name: "Save" }).evaluate((save: HTMLElement) => [save.click(), save.click()]);
  await choosing.waitFor({ state: "detached" });
  await page.getByText("Minka", { exact: true }).waitFor();
  expect((await ask(page, "patients.list", { search: "minka" })).total).toBe(1);
});
