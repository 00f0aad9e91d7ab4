import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createPatient, openFilms, openRow, openSettings, setLanguage } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { cutTexts } from "../pictures/cut-texts.ts";
import { ask, phantom } from "../program.ts";

const longName = "Maximilian von Wiesenburg";

/** A window of 900 x 700 px with long texts: French, file names and the name of a patient. */
const { test } = startJourney(async (page) => {
  await page.setViewportSize({ width: 900, height: 700 });
  const films = await openFilms(page, ["dog-02.jpg", "dog-03.jpg", "dog-04.jpg"].map(phantom));
  const { id } = await createPatient(page, longName, { breed: "Boxer", owner: "M. Sommer" });
  await ask(page, "films.assignPatient", { filmIds: films.map((film) => film.id), patientId: id });
});

test("shows complete names in the worklist", async ({ page }) => {
  await openRow(page, longName);
  expect(await cutNames(page, ".film-name")).toEqual([]);
});

test("keeps the urine screening within the page's margin in French", async ({ page }) => {
  await page.keyboard.press("Alt+3");
  await page.getByLabel("Paste lab results").fill("BUN 41 mg/dL  CREA 2.4 mg/dL  HGB 13.8 g/dL  LYM 1400 /uL  Age 168");
  await page.getByLabel("Paste lab results").blur();
  await page.getByRole("button", { name: "Run screening", exact: true }).click();
  await page.getByTestId("probability").waitFor();
  await setLanguage(page, "fr");
  expect(await beyondMargin(page)).toEqual([]);
});

test("keeps a trend with a corrected film within the page's margin in French", async ({ page }) => {
  await correct(page);
  await page.keyboard.press("Alt+2");
  await page.locator(".patient-row").first().click();
  await page.getByRole("table").waitFor();
  await setLanguage(page, "fr");
  expect(await beyondMargin(page)).toEqual([]);
});

test("shows compared films equally high whatever their captions, without cut text", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.locator(".compare-films").click();
  const captions = page.locator(".compared-film figcaption");
  await expect.poll(() => page.locator(".compared-film .landmark").count()).toBe(18);
  for (const language of ["fr", "de", "en"] as const) {
    await setLanguage(page, language);
    expect({ language, cut: await cutTexts(page) }).toEqual({ language, cut: [] });
  }
  await captions.first().evaluate((head) => head.append(" longer than the other".repeat(4)));
  const stages = await page.locator(".compared-stage").all();
  const boxes = await Promise.all(stages.map((stage) => stage.boundingBox()));
  expect(boxes.map((box) => [box!.y, box!.height])).toEqual(boxes.map(() => [boxes[0]!.y, boxes[0]!.height]));
  expect(boxes[0]!.height).toBeGreaterThan(300);
});

test("shows a usual name in the narrow table of the users in one line", async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 });
  await ask(page, "people.add", { name: "Wiesenburg", role: "assistant", secret: "246813" });
  await setLanguage(page, "fr");
  await openSettings(page, "Personnes");
  const lines = await page.getByRole("cell", { name: "Wiesenburg", exact: true }).evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
  await setLanguage(page, "en");
});

test("breaks names and identifiers of one long word in the tables of the ledger and of the users", async ({ page }) => {
  const word = "Wiesenburg".repeat(10);
  const accountName = word;
  const { key } = await ask(page, "keys.create", { accountName, name: word });
  const values = { BUN: 20, CREATININE: 1.2, HGB: 12, "ABSOLUTE LYMPHOCYTES": 2000, age_months: 60 };
  const data = { ...values, uuid: word.repeat(2), clinic_code: word.repeat(2) };
  await page.request.post(`${new URL(page.url()).origin}/usg/v1/predict`, { headers: { "x-api-key": key }, data });
  await ask(page, "people.add", { name: word, role: "assistant", secret: "246813" });
  await page.keyboard.press("Alt+6");
  for (const tab of ["Entries", "API keys", "Urine report"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.locator(".grid-table", { hasText: word }).waitFor();
    expect({ tab, beyond: await beyondMargin(page) }).toEqual({ tab, beyond: [] });
  }
  for (const tab of ["Users", "Audit trail"]) {
    await openSettings(page, tab);
    await page.locator(".grid-table", { hasText: word }).waitFor();
    expect({ tab, beyond: await beyondMargin(page) }).toEqual({ tab, beyond: [] });
  }
});

/** Corrects a film, so that its score is listed with the networks' score and a long name. */
async function correct(page: Page): Promise<void> {
  await ask(page, "settings.save", { userName: "Dr Wiesenburg-Hohenfels" });
  await setLanguage(page, "en");
  await page.keyboard.press("Alt+1");
  await openRow(page, longName);
  await page.keyboard.press("c");
  await page.locator("[data-handle=heart_bottom]").focus();
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+s");
  await page.getByTestId("version").filter({ hasText: "Corrected" }).first().waitFor();
}

function cutNames(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(
    (names) =>
      [...document.querySelectorAll(names)]
        .filter((name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1)
        .map((name) => name.textContent ?? ""),
    selector,
  );
}

function beyondMargin(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const around = document.querySelector(".page")!;
    const marginPx = parseFloat(getComputedStyle(around).paddingInlineEnd);
    const mostPx = around.getBoundingClientRect().left + around.clientWidth - marginPx + 1;
    return [...around.querySelectorAll("*")]
      .filter((element) => !element.closest("svg") && element.getBoundingClientRect().right > mostPx)
      .map((element) => `${element.tagName}.${element.className} ends at ${element.getBoundingClientRect().right}`);
  });
}
