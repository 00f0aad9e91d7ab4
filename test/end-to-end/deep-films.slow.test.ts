import { writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { folderForFile } from "../fixtures/folders.ts";
import { text } from "../main/dicom/dicom-writer.ts";
import { nativeFile } from "../main/dicom/pixels/phantom-film.ts";
import { middleOf, nextFrame, openFilms, openRow, stageBrightness } from "./actions.ts";
import { startJourney } from "./journey.ts";
import { ask, phantom } from "./program.ts";

// Films of more than 8 bits in the window, painted by WebGL and by the canvas used without it.

const folder = folderForFile();
const files = { png: path.join(folder, "deep.png"), dicom: path.join(folder, "deep.dcm") };
let samples: Uint16Array;
let size: { readonly width: number; readonly height: number };
const { test } = startJourney(async (page) => {
  await makeFiles();
  await openFilms(page, [files.dicom]);
  // The PNG shows the same film.
  await ask(page, "settings.save", { measuresOnArrival: false });
  await openFilms(page, [files.png]);
  await ask(page, "settings.save", { measuresOnArrival: true });
});

/** Writes the same film twice, with values between 2000 and 3020 of 65,535, which in 8 bits would be four greys. */
async function makeFiles(): Promise<void> {
  const { data, info } = await sharp(phantom("dog-02.jpg"))
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  samples = Uint16Array.from(data, (grey) => 2000 + 4 * grey);
  size = { width: info.width, height: info.height };
  writeFileSync(
    files.png,
    await sharp(samples, { raw: { ...size, channels: 1 } })
      .toColourspace("grey16")
      .png()
      .toBuffer(),
  );
  const film = {
    widthPx: size.width,
    heightPx: size.height,
    bitsStored: 16,
    isSigned: false,
    values: Int32Array.from(samples),
  };
  writeFileSync(
    files.dicom,
    nativeFile(film, [
      text("00181164", "DS", "0.1\\0.1"),
      text("00281050", "DS", "2510"),
      text("00281051", "DS", "1021"),
      text("00281054", "LO", "OD"),
    ]),
  );
}

const readout = (page: Page) => page.locator(".readout span").first().innerText();
const pixel = (page: Page) => page.getByTestId("pixel-readout").innerText();
const painter = (page: Page) => page.locator(".stage canvas").first().getAttribute("data-painter");

async function greysShown(page: Page): Promise<number> {
  await nextFrame(page);
  const { data } = await sharp(await page.locator(".stage canvas").screenshot())
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return new Set(data).size;
}

async function reloadWithoutWebgl(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const getContext = HTMLCanvasElement.prototype.getContext as (
      this: HTMLCanvasElement,
      kind: string,
      options?: unknown,
    ) => RenderingContext | null;
    const withoutWebgl = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
      return kind === "webgl2" ? null : getContext.call(this, kind, options);
    };
    Object.assign(HTMLCanvasElement.prototype, { getContext: withoutWebgl });
  });
  await page.reload();
  await page.locator(".rail").waitFor();
}

describe("films of 16 bits in the viewer", () => {
  test("opens a DICOM film with its own window, which W restores", async ({ page }) => {
    await openRow(page, "deep.dcm");
    await expect.poll(() => readout(page)).toBe("W 1,020 L 510");
    const opened = await stageBrightness(page);
    const box = (await page.locator(".stage").boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 500, { steps: 5 });
    await page.mouse.up();
    expect(await stageBrightness(page)).toBeLessThan(opened - 10);
    await page.keyboard.press("w");
    expect(await readout(page)).toBe("W 1,020 L 510");
    expect(await stageBrightness(page)).toBeCloseTo(opened, 0);
  });

  test("reads out the pixel under the pointer in px, in mm, and in the file's value and unit", async ({ page }) => {
    await openRow(page, "deep.dcm");
    const { x, y } = await middleOf(page, ".stage");
    await page.mouse.move(x + 40, y - 30);
    const [place, mm] = (await pixel(page)).split("\n");
    const [, column, row, value] = /^x (\d+) {2}y (\d+) px\s+(\d+) 10⁻³ OD$/
      .exec(place!.replaceAll(",", ""))!
      .map(Number);
    expect(value).toBe(samples[row! * size.width + column!]);
    expect(mm).toBe(
      `x ${(column! * 0.1).toFixed(1)}  y ${(row! * 0.1).toFixed(1)}\u00a0mm from top left, at the detector`,
    );
    await page.mouse.move(5, 5);
    await expect.poll(() => pixel(page)).toBe("");
  });

  test("reads out single pixels at the keyboard crosshair, also to screen readers", async ({ page }) => {
    await page.keyboard.press("p");
    await page.getByTestId("crosshair").waitFor();
    const spoken = () => page.getByRole("status").filter({ hasText: "px" }).innerText();
    const shownAt = (column: number, row: number) => [
      `x ${column}  y ${row} px`,
      `${samples[row * size.width + column]!.toLocaleString("en-GB")} 10⁻³ OD`,
    ];
    const place = async () => (await spoken()).split("\n")[0]!.split(/(?<=px)\s+/);
    const [column, row] = [size.width / 2, size.height / 2];
    await expect.poll(place).toEqual(shownAt(column, row));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowUp");
    await expect.poll(place).toEqual(shownAt(column + 1, row - 10));
    await page.keyboard.press("Escape");
    expect(await page.getByTestId("crosshair").count()).toBe(0);
  });

  test("shows greys for a picture without spacing, and lengths in mm only with spacing", async ({ page }) => {
    const facts = () => page.locator(".facts").first().innerText();
    expect(await facts()).toMatch(/Long axis\s+[\d.]+ v · [\d.]+ mm/);
    await page.getByText("Millimetres at the detector, 0.1000 mm per pixel: longer than in the animal").waitFor();
    await openRow(page, "deep.png");
    const { x, y } = await middleOf(page, ".stage");
    await page.mouse.move(x, y);
    expect(await pixel(page)).toMatch(/^x [\d,]+ {2}y [\d,]+ px\s+grey [\d,]+ of 65,535$/);
    await openFilms(page, [phantom("dog-03.jpg")]);
    await openRow(page, "dog-03.jpg");
    await expect.poll(facts).toMatch(/Long axis\s+[\d.]+ v\n/);
    expect(await page.getByText(/Millimetres/).count()).toBe(0);
  });

  test("shows the full depth of both files by WebGL, and the same on a canvas without it", async ({ page }) => {
    const look = async (paintedBy: string) => {
      const brightness: number[] = [];
      for (const name of ["deep.png", "deep.dcm"]) {
        await openRow(page, name);
        expect(await painter(page)).toBe(paintedBy);
        brightness.push(await stageBrightness(page));
        expect(await greysShown(page)).toBeGreaterThan(128);
      }
      return brightness;
    };
    const byWebgl = await look("webgl");
    await reloadWithoutWebgl(page);
    const onCanvas = await look("canvas");
    for (const [index, brightness] of byWebgl.entries())
      expect(Math.abs(onCanvas[index]! - brightness)).toBeLessThan(2);
  });
});
