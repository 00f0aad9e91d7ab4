/**
 * Makes the pictures of docs/screens: starts the program on an empty data directory, opens phantom films in Chromium, and photographs
 * the main states. `node test/end-to-end/screens.ts [FOLDER] [--size 1440x900] [--density 1] [--review]`;
 * with `--review` further states, and each also in the light theme and in German.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { middleOf, openFilms, openRow } from "./actions.ts";
import { ask, buildPage, openWindow, phantom, startBrowser, startProgram } from "./program.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: "string", default: "1440x900" }, density: { type: "string", default: "1" }, review: { type: "boolean", default: false } },
});
const folder = positionals[0] ?? fileURLToPath(new URL("../../docs/screens", import.meta.url));
const [width = 1440, height = 900] = values.size.split("x").map(Number);
const settleMs = 450;

async function photograph(page: Page, name: string): Promise<void> {
  for (const close of await page.locator(".toast button").all()) await close.click();
  await page.mouse.move(0, 0);
  await shoot(page, name);
  if (!values.review) return;
  await dress(page, "light", "de");
  await shoot(page, `${name}.light-de`);
  await dress(page, "dark", "en");
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(settleMs);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  process.stdout.write(`${name}.png\n`);
}

async function dress(page: Page, theme: "dark" | "light", language: "en" | "de"): Promise<void> {
  await ask(page, "settings.save", { theme, language });
  await page.locator(`html[data-theme=${theme}][lang=${language}]`).waitFor();
}

/** States that the documentation does not show. */
async function furtherStates(page: Page): Promise<void> {
  await page.keyboard.press("Alt+1");
  await page.keyboard.press("?");
  await photograph(page, "review-keys");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Window presets" }).click();
  await shoot(page, "review-presets");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Overlay", exact: true }).click();
  await shoot(page, "review-overlay");
  await page.keyboard.press("Escape");
  await page.keyboard.press("h");
  await photograph(page, "review-by-hand");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+4");
  await photograph(page, "review-capture");
  await page.keyboard.press("Alt+5");
  for (const tab of ["Events", "API keys", "Urine report"]) {
    await page.getByRole("tab", { name: tab }).click();
    await photograph(page, `review-ledger-${tab.replace(" ", "-").toLowerCase()}`);
  }
  await page.keyboard.press("Alt+6");
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await photograph(page, `review-settings-${(await tab.innerText()).replaceAll(" ", "-").toLowerCase()}`);
  }
}

/** A clinic's day: films with patients, one of them over several months. */
async function fillClinic(page: Page): Promise<void> {
  await photograph(page, "empty");
  const films = await openFilms(page, ["dog-08.jpg", "dog-07.jpg", "dog-05.jpg", "dog-04.jpg", "dog-03.jpg", "dog-02.jpg"].map(phantom));
  const bella = await ask(page, "patients.create", { name: "Bella", species: "dog", breed: "Cavalier King Charles Spaniel", owner: "M. Sommer", uuid: "bella-7" });
  const others = [["Aramis", "Boxer", "J. Lindner"], ["Luna", "Labrador Retriever", "F. Haas"]] as const;
  const byScore = films.filter((film) => film.reading?.vhs).sort((a, b) => a.reading!.vhs! - b.reading!.vhs!);
  for (const [index, film] of byScore.slice(0, 4).entries()) {
    await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: bella.id });
    await ask(page, "films.edit", { filmId: film.id, takenAt: new Date(Date.UTC(2025, 11 + index * 3, 12)).toISOString() });
  }
  for (const [index, film] of byScore.slice(4, 6).entries()) {
    const [name, breed, owner] = others[index]!;
    const patient = await ask(page, "patients.create", { name, species: "dog", breed, owner, uuid: null });
    await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: patient.id });
  }
  await ask(page, "patients.create", { name: "Minka", species: "cat", breed: "", owner: "A. Koch", uuid: null });
  await ask(page, "settings.save", { language: "en", userName: "Dr Weber", clinicName: "Sommer clinic", clinicCode: "sommer-1" });
}

async function filmStates(page: Page): Promise<void> {
  await openRow(page, "Aramis");
  await photograph(page, "viewer");
  await page.keyboard.press("c");
  const apex = await middleOf(page, "[data-handle=heart_bottom]");
  await page.mouse.move(apex.x, apex.y);
  await page.mouse.down();
  await page.mouse.move(apex.x + 14, apex.y + 10, { steps: 4 });
  await shoot(page, "correction");
  await page.mouse.up();
  await page.getByLabel("Remark").fill("Apex placed on the sternal border");
  await page.getByRole("button", { name: "Save reading" }).click();
  await page.getByTestId("version").nth(1).waitFor();
  await page.keyboard.press("Shift+O");
  await photograph(page, "original-and-corrected");
  await page.keyboard.press("Shift+O");
}

async function otherPlaces(page: Page, origin: string): Promise<void> {
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bella/ }).click();
  await page.getByRole("table").waitFor();
  await photograph(page, "trends");
  await page.getByRole("checkbox").nth(0).check();
  await page.getByRole("checkbox").nth(2).check();
  await page.getByRole("button", { name: "Compare two films" }).click();
  await page.locator(".compared-stage .landmark").nth(9).waitFor();
  await photograph(page, "comparison");
  await page.keyboard.press("Alt+3");
  await page.getByLabel("Paste a lab row").fill("BUN 41 mg/dL  CREA 2.4 mg/dL  HGB 13.8 g/dL  LYM 1400 /uL  Age 168");
  await page.getByLabel("Paste a lab row").blur();
  await page.getByRole("button", { name: "Screen", exact: true }).click();
  await page.getByTestId("probability").waitFor();
  await photograph(page, "urine");
  const { key } = await ask(page, "keys.create", { accountName: "Sommer clinic", name: "Practice software" });
  for (let index = 0; index < 12; index++) {
    const values = { BUN: 20 + index, CREATININE: 1.2, HGB: 12, "ABSOLUTE LYMPHOCYTES": 2000, age_months: 60 + index };
    await page.request.post(`${origin}/usg/v1/predict`, { headers: { "x-api-key": key }, data: { ...values, clinic_code: "sommer-1" } });
  }
  await page.keyboard.press("Alt+5");
  await photograph(page, "ledger");
  await page.keyboard.press("Alt+6");
  await page.getByRole("tab", { name: "Model packs" }).click();
  await page.locator(".pack").first().waitFor();
  await photograph(page, "packs");
  if (values.review) await furtherStates(page);
  await dress(page, "light", "de");
  await page.keyboard.press("Alt+1");
  await openRow(page, "Luna");
  await photograph(page, "light-german");
}

mkdirSync(folder, { recursive: true });
await buildPage();
const program = await startProgram();
const browser = await startBrowser();
try {
  const { page } = await openWindow(browser, program.pageUrl, { viewport: { width, height }, deviceScaleFactor: Number(values.density) });
  await fillClinic(page);
  await filmStates(page);
  await otherPlaces(page, program.origin);
} finally {
  await browser.close();
  await program.stop();
}
