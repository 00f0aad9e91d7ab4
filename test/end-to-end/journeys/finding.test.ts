import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { OwnRange } from "../../../core/cardiac/reference/own-range.ts";
import { phantomFromJpeg } from "../../main/dicom/phantom-film.ts";
import { axeFaultsInBothThemes, openFilms, openRow, openSettings } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openBella } from "../prepared.ts";
import { ask, phantom } from "../program.ts";
import { folderForTest } from "../../fixtures/folders.ts";

const { window, test } = startJourney(async (page) => {
  await openBella(page);
  await ask(page, "settings.save", { userName: "Dr. Roth" });
});

const bar = () => window().page.locator(".reference").first();
const openFilm = async () => {
  await window().page.keyboard.press("Alt+1");
  await openRow(window().page, "Bella");
};

test("adds a range with its source, and reports missing fields at the field", async ({ page }) => {
  await openRow(page, "Bella");
  expect(await bar().innerText()).toContain("VHS 9.0–11.2\u00a0v");
  await openSettings(page, "Reference ranges");
  const form = page.getByRole("region", { name: "Add a range" });
  await form.getByLabel("Breed").fill("CKCS");
  await form.getByLabel("Lower limit (v)").fill("9.1");
  await form.getByLabel("Upper limit (v)").fill("8.8");
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByRole("alert").getByText("Lower limit: it must be less than the upper limit").waitFor();
  await form.getByLabel("Upper limit (v)").fill("10.8");
  await form.getByRole("alert").getByText("Source: state the reference for the limits").waitFor();
  await form.getByLabel("Source").fill("Our own 40 healthy dogs");
  // Input is kept while another page is shown.
  await page.getByRole("tab", { name: "Folders" }).click();
  await openSettings(page, "Reference ranges");
  expect([await form.getByLabel("Breed").inputValue(), await form.getByLabel("Upper limit (v)").inputValue()]).toEqual([
    "CKCS",
    "10.8",
  ]);
  await form.getByLabel("Source").press("Enter");
  await page.getByTestId("own-range").getByText("Our own 40 healthy dogs").waitFor();
  expect(await form.getByLabel("Breed").inputValue()).toBe("");
});

test("uses the clinic's range instead of the published one, marked as such with its source", async () => {
  await openFilm();
  await expect.poll(() => bar().innerText()).toContain("VHS 9.1–10.8\u00a0v");
  expect(await bar().innerText()).toContain(
    "Cavalier King Charles Spaniel, limits of this practice\u00a0· Our own 40 healthy dogs",
  );
});

test("changes a range, and uses the published one again after its removal", async ({ page }) => {
  await openSettings(page, "Reference ranges");
  await page.getByRole("button", { name: "Edit VHS, CKCS" }).click();
  const form = page.getByRole("region", { name: "Edit the range" });
  expect(await form.getByLabel("Upper limit (v)").inputValue()).toBe("10.8");
  await form.getByLabel("Source").fill("Our own 50 healthy dogs");
  // A change at another workstation replaces the input, which would undo it.
  const [{ id, ...changed }] = (await ask(page, "ranges.list", {})).ranges as [OwnRange];
  const { species, breed, measure, low, source } = changed;
  await ask(page, "ranges.save", { id, range: { species, breed, measure, low, high: 11.3, source } });
  await expect.poll(() => form.getByLabel("Upper limit (v)").inputValue()).toBe("11.3");
  expect(await form.getByLabel("Source").inputValue()).toBe("Our own 40 healthy dogs");
  await form.getByLabel("Upper limit (v)").fill("10,9");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByTestId("own-range").getByText("9.1–10.9 v").waitFor();
  await page.getByRole("button", { name: "Remove VHS, CKCS" }).click();
  await page.getByText("Only published ranges are in use").waitFor();
  await openFilm();
  await expect.poll(() => bar().innerText()).toContain("VHS 9.0–11.2\u00a0v");
});

const field = () => window().page.getByLabel("Findings");
const insert = async (entry: string | RegExp) => {
  const { page } = window();
  await page.getByRole("button", { name: "Insert…" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
};

test("inserts text blocks for size, atrium and measurement, and keeps typed text", async ({ page }) => {
  await page.keyboard.press("Alt+1");
  await openRow(page, /Bella/);
  await field().fill("Nervous dog.");
  await insert("Trend");
  await page
    .getByText(
      "Nothing inserted: a trend needs three films of this patient with a VHS up to this film, from two visits",
    )
    .waitFor();
  expect(await field().inputValue()).toBe("Nervous dog.");
  await insert("All text blocks");
  await expect.poll(() => field().inputValue()).toMatch(/^Nervous dog\.\nHeart size: VHS \d+\.\d v .*\nLeft atrium: /);
  await insert("Measurement");
  await expect.poll(async () => (await field().inputValue()).match(/Measurement: /g)?.length).toBe(2);
});

test("asks for clinical facts of stage B2, rejects implausible ones and states no diagnosis", async ({ page }) => {
  await insert(/^ACVIM 2019/);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Murmur/).fill("9");
  await dialog.getByText("Enter a grade from 0 to 6").waitFor();
  expect(await dialog.getByRole("button", { name: "Insert into findings" }).isDisabled()).toBe(true);
  await dialog.getByLabel(/^Murmur/).fill("4/6");
  await dialog.getByLabel(/^LA:Ao/).fill("1,7");
  await dialog.getByText("murmur 4/6 (from 3/6: met)").waitFor();
  await dialog.getByText("LVIDDN – (from 1.7: unknown)").waitFor();
  await dialog.getByText(/Bagardi et al\. 2022/).waitFor();
  const tests = await dialog.getByTestId("staging-lines").innerText();
  expect(tests).toMatch(/; best cut-off 2\.6\sv, sensitivity 95\s%, specificity 84\s%; .*Miyakawa/);
  expect(tests).toMatch(/\(best cut-off 2\.5\sv, sensitivity 70\s%, specificity 84\s%; rules in from 3\.0\sv.*Stepien/);
  expect(await axeFaultsInBothThemes(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Insert into findings" }).click();
  await expect
    .poll(() => field().inputValue())
    .toMatch(/ACVIM criteria for stage B2 \(Keene et al\. 2019.*1 unknown\. An aid, not a diagnosis\.$/);
});

test("signs findings with the reading, and saves edits as another version with author and time", async ({ page }) => {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Accept/ }).click();
  await page.getByText("Reading saved").first().waitFor();
  await expect.poll(() => field().inputValue()).toMatch(/^Nervous dog\./);
  await field().fill("Calm dog after all.");
  await page.getByRole("button", { name: "Save findings" }).click();
  await page.getByRole("button", { name: "Save findings" }).waitFor({ state: "detached" });
  const { films } = await ask(page, "films.list", { search: "dog-01" });
  const { readings } = await ask(page, "films.get", { filmId: films[0]!.id });
  expect(readings.map(({ verdict, who, remark }) => [verdict, who, remark.slice(0, 12)])).toEqual([
    [null, null, ""],
    ["accepted", "Dr. Roth", "Nervous dog."],
    ["accepted", "Dr. Roth", "Calm dog aft"],
  ]);
});

test("uses the limit of the breed in the file of an unassigned film", async ({ page }) => {
  const file = path.join(folderForTest(), "beagle.dcm");
  const benno = { instance: "1.2.276.78.1", patientId: null, patientName: "Berg^Benno" };
  writeFileSync(file, await phantomFromJpeg(phantom("dog-02.jpg"), benno));
  const [film] = await openFilms(page, [file]);
  expect(film).toMatchObject({ patient: null, dicom: { patient: { species: "dog", breed: "Beagle" } } });
  await openRow(page, /Benno/);
  await expect.poll(() => page.getByTestId("film-facts").innerText()).toMatch(/2025 · Beagle$/);
  await insert(/^ACVIM 2019/);
  await page.getByRole("dialog").getByText("VHS limit adjusted for breed").waitFor();
});
