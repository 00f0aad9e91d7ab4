/**
 * Makes the pictures of docs/screens: starts the program on an empty data directory, opens phantom films in Chromium,
 * and photographs the states shown in the manual, in English and German. `pictures/` covers all states.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { text } from "../main/dicom/dicom-writer.ts";
import { nativeFile } from "../main/dicom/pixels/phantom-film.ts";
import { buildPage } from "./build-page.ts";
import { createPatient, middleOf, openFilms, openRow, openSettings } from "./actions.ts";
import { dress } from "./pictures/camera.ts";
import { ask, openWindow, phantom, startBrowser, startProgram } from "./program.ts";

const folder = fileURLToPath(new URL("../../docs/screens", import.meta.url));
const viewport = { width: 1440, height: 900 };
const settleMs = 450;

async function photograph(page: Page, name: string): Promise<void> {
  for (const close of await page.locator(".toast button[aria-label=Close]").all()) await close.click();
  await page.mouse.move(0, 0);
  await shootInLanguages(page, name);
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(settleMs);
  // The film is grey and other colours are few, so a palette looks the same at a third of the size.
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, quality: 95, effort: 8 })
    .toBuffer();
  writeFileSync(path.join(folder, `${name}.png`), picture);
  process.stdout.write(`${name}.png\n`);
}

async function shootInLanguages(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  await dress(page, "dark", "de");
  await shoot(page, path.join("de", name));
  await dress(page, "dark", "en");
}

async function fillClinic(page: Page): Promise<void> {
  const films = await openFilms(
    page,
    ["dog-08.jpg", "dog-07.jpg", "dog-05.jpg", "dog-04.jpg", "dog-03.jpg", "dog-02.jpg"].map(phantom),
  );
  const bella = await createPatient(page, "Bella", {
    breed: "Cavalier King Charles Spaniel",
    owner: "M. Sommer",
    uuid: "bella-7",
  });
  const others = [
    ["Aramis", "Boxer", "J. Lindner"],
    ["Luna", "Labrador Retriever", "F. Haas"],
  ] as const;
  const byScore = films.filter((film) => film.reading?.vhs).sort((a, b) => a.reading!.vhs! - b.reading!.vhs!);
  for (const [index, film] of byScore.slice(0, 4).entries()) {
    await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: bella.id });
    await ask(page, "films.edit", {
      filmId: film.id,
      takenAt: new Date(Date.UTC(2025, 11 + index * 3, 12)).toISOString(),
    });
  }
  for (const [index, film] of byScore.slice(4, 6).entries()) {
    const [name, breed, owner] = others[index]!;
    const patient = await createPatient(page, name, { breed, owner });
    await ask(page, "films.assignPatient", { filmIds: [film.id], patientId: patient.id });
  }
  await createPatient(page, "Minka", { species: "cat", owner: "A. Koch" });
  await ask(page, "settings.save", {
    language: "en",
    userName: "Dr Weber",
    clinicName: "Sommer clinic",
    clinicCode: "sommer-1",
  });
}

async function filmStates(page: Page): Promise<void> {
  await openRow(page, "Aramis");
  await photograph(page, "viewer");
  await page.keyboard.press("c");
  const apex = await middleOf(page, "[data-handle=heart_bottom]");
  await page.mouse.move(apex.x, apex.y);
  await page.mouse.down();
  await page.mouse.move(apex.x + 14, apex.y + 10, { steps: 4 });
  await shootInLanguages(page, "correction");
  await page.mouse.up();
  await page.getByLabel("Findings").fill("Apex placed on the sternal border");
  await page.getByRole("button", { name: "Save reading" }).click();
  await page.getByTestId("version").nth(1).waitFor();
  await page.keyboard.press("Shift+O");
  await photograph(page, "original-and-corrected");
  await page.keyboard.press("Shift+O");
}

async function studyFile(film: string, instance: number, view: string): Promise<Buffer> {
  const { data, info } = await sharp(phantom(film)).greyscale().raw().toBuffer({ resolveWithObject: true });
  const study = "1.2.826.0.1.3680043.2.1125.77";
  return nativeFile(
    { widthPx: info.width, heightPx: info.height, bitsStored: 8, isSigned: false, values: Int32Array.from(data) },
    [
      text("00080005", "CS", "ISO_IR 192"),
      text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
      text("00080018", "UI", `${study}.1.${instance}`),
      text("00080020", "DA", "20261120"),
      text("00080030", "TM", "161200"),
      text("00081030", "LO", "Thorax"),
      text("00081090", "LO", "DR 43"),
      text("00100010", "PN", "Nala"),
      text("00100020", "LO", "P-2041"),
      text("00102201", "LO", "Canine"),
      text("00102292", "LO", "Beagle"),
      text("00102297", "PN", "Aydın^Selin"),
      text("00181164", "DS", "0.143\\0.143"),
      text("00185101", "CS", view),
      text("0020000D", "UI", study),
      text("0020000E", "UI", `${study}.1`),
      text("00200011", "IS", "1"),
      text("00200013", "IS", String(instance)),
    ],
  );
}

async function studyStates(page: Page): Promise<void> {
  const studyFolder = mkdtempSync(path.join(tmpdir(), "corvet-screens-"));
  const views = [
    ["dog-03.jpg", "LL"],
    ["dog-02.jpg", "RL"],
    ["dog-05.jpg", "VD"],
  ] as const;
  const names = views.map((_, index) => `IM00000${index + 1}`);
  for (const [index, [film, view]] of views.entries())
    writeFileSync(path.join(studyFolder, names[index]!), await studyFile(film, index + 1, view));
  await openFilms(
    page,
    names.map((name) => path.join(studyFolder, name)),
  );
  await openRow(page, "LL");
  await page.keyboard.press("p");
  await photograph(page, "study");
  await page.keyboard.press("Escape");
  rmSync(studyFolder, { recursive: true });
}

async function otherPlaces(page: Page, origin: string): Promise<void> {
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bella/ }).click();
  await page.getByRole("table").waitFor();
  await photograph(page, "trends");
  await page.getByRole("checkbox").nth(0).check();
  await page.getByRole("checkbox").nth(2).check();
  await page.getByRole("button", { name: "Compare films" }).click();
  await page.locator(".compared-stage .landmark").nth(9).waitFor();
  await photograph(page, "comparison");
  await page.keyboard.press("Alt+3");
  await page.getByLabel("Paste lab results").fill("BUN 41 mg/dL  CREA 2.4 mg/dL  HGB 13.8 g/dL  LYM 1400 /uL  Age 168");
  await page.getByLabel("Paste lab results").blur();
  await page.getByRole("button", { name: "Run screening", exact: true }).click();
  await page.getByTestId("probability").waitFor();
  await photograph(page, "urine");
  const { key } = await ask(page, "keys.create", { accountName: "Sommer clinic", name: "Practice software" });
  for (let index = 0; index < 12; index++) {
    const values = { BUN: 20 + index, CREATININE: 1.2, HGB: 12, "ABSOLUTE LYMPHOCYTES": 2000, age_months: 60 + index };
    await page.request.post(`${origin}/usg/v1/predict`, {
      headers: { "x-api-key": key },
      data: { ...values, clinic_code: "sommer-1" },
    });
  }
  await page.keyboard.press("Alt+6");
  await photograph(page, "ledger");
  await openSettings(page, "Model packs");
  await page.locator(".pack").first().waitFor();
  await photograph(page, "packs");
}

async function firstRun(browser: Browser): Promise<void> {
  const fresh = await startProgram({ isFirstRun: true });
  const { page, context } = await openWindow(browser, fresh.pageUrl, { viewport });
  await page.getByRole("region", { name: "Set up your practice" }).waitFor();
  await photograph(page, "first-run");
  await context.close();
  await fresh.stop();
}

await buildPage();
const program = await startProgram();
const browser = await startBrowser();
try {
  await firstRun(browser);
  const { page } = await openWindow(browser, program.pageUrl, { viewport });
  await fillClinic(page);
  await filmStates(page);
  await studyStates(page);
  await otherPlaces(page, program.origin);
} finally {
  await browser.close();
  await program.stop();
}
