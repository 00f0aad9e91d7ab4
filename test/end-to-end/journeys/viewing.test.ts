import { expect } from "vitest";
import { createPatient, drag, middleOf, nextFrame, openFilms, openRow, stageBrightness } from "../actions.ts";
import type { Page } from "playwright-core";
import { ask, phantom, type Window } from "../program.ts";
import { startJourney } from "../journey.ts";

const zoomShown = async ({ page }: Window) =>
  Number((await page.locator(".readout span").nth(1).innerText()).replace(/\D/g, ""));

async function stagePicture(page: Page): Promise<Buffer> {
  await nextFrame(page);
  return page.locator(".stage canvas").screenshot({ type: "jpeg" });
}

const { window, test } = startJourney((page) =>
  openFilms(page, ["dog-01.jpg", "dog-02.jpg", "dog-03.jpg", "dog-04.jpg"].map(phantom)),
);

test("changes the window by dragging and number keys, and resets it with W and 1", async ({ page }) => {
  await openRow(page, "dog-02.jpg");
  const plain = await stageBrightness(page);
  const middle = await middleOf(page, ".stage");
  await drag(page, middle, { x: middle.x, y: middle.y + 200 });
  await expect.poll(() => stageBrightness(page)).toBeLessThan(plain - 10);
  await page.keyboard.press("w");
  await expect.poll(() => stageBrightness(page)).toBeCloseTo(plain, 0);
  await page.keyboard.press("5");
  await expect.poll(() => stageBrightness(page)).toBeLessThan(plain - 10);
  await page.keyboard.press("1");
  await expect.poll(() => stageBrightness(page)).toBeCloseTo(plain, 0);
});

test("zooms with the wheel, pans with the middle button, fits with F, and shows device pixels with 0", async ({
  page,
}) => {
  const fitted = await zoomShown(window());
  const middle = await middleOf(page, ".stage");
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => zoomShown(window())).toBeGreaterThan(fitted);
  const marks = page.getByTestId("marks");
  const before = (await marks.boundingBox())!;
  await drag(page, middle, { x: middle.x + 90, y: middle.y + 30 }, "middle");
  const after = (await marks.boundingBox())!;
  expect([Math.round(after.x - before.x), Math.round(after.y - before.y)]).toEqual([90, 30]);
  await page.keyboard.press("0");
  await expect.poll(() => zoomShown(window())).toBe(100);
  await page.keyboard.press("f");
  await expect.poll(() => zoomShown(window())).toBe(fitted);
});

test("inverts, sharpens, rotates and mirrors the film", async ({ page }) => {
  const plain = await stageBrightness(page);
  await page.keyboard.press("i");
  await expect.poll(() => stageBrightness(page)).not.toBeCloseTo(plain, 0);
  await page.keyboard.press("i");
  const apex = page.locator(".landmark.heart_bottom");
  const at = async () => ({ x: Number(await apex.getAttribute("cx")), y: Number(await apex.getAttribute("cy")) });
  const stage = (await page.locator(".stage").boundingBox())!;
  const upright = await at();
  await page.keyboard.press("m");
  await expect.poll(async () => (await at()).x).toBeCloseTo(stage.width - upright.x, 0);
  await page.keyboard.press("m");
  for (let turn = 0; turn < 4; turn++) await page.keyboard.press("r");
  await expect.poll(async () => (await at()).x).toBeCloseTo(upright.x, 3);
  // Waits until the picture is stable, as tooltips fade and frames arrive late.
  let soft = await stagePicture(page);
  await expect
    .poll(
      async () => {
        const before = soft;
        soft = await stagePicture(page);
        return soft.equals(before);
      },
      { interval: 50 },
    )
    .toBe(true);
  await page.keyboard.press("s"); // a click would leave the button's tooltip over the picture
  await page.getByRole("button", { name: "Sharpen", pressed: true }).waitFor();
  await expect.poll(async () => (await stagePicture(page)).equals(soft)).toBe(false);
  await page.keyboard.press("s");
  await expect.poll(async () => (await stagePicture(page)).equals(soft)).toBe(true);
});

test("toggles overlay, labels and votes by key, and changes the opacity by a slider", async ({ page }) => {
  const labels = page.locator(".mark-label rect");
  expect(await labels.count()).toBeGreaterThanOrEqual(2);
  expect(await page.locator(".mark-label.vertebra").allTextContents()).toContain("T4");
  await page.keyboard.press("l");
  await expect.poll(() => labels.count()).toBe(0);
  await page.keyboard.press("l");
  await page.keyboard.press("v");
  expect(await page.getByTestId("votes").locator("path").count()).toBe(25);
  await page.keyboard.press("v");
  await page.keyboard.press("o");
  await page.getByTestId("marks").waitFor({ state: "detached" });
  await page.keyboard.press("o");
  await page.getByTestId("marks").waitFor();
  await page.getByRole("button", { name: "Overlay", exact: true }).click();
  const opacity = page.getByRole("slider", { name: "Opacity" });
  await opacity.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => page.locator("svg.overlay").getAttribute("opacity")).toBe("0.2");
  await page.keyboard.press("End");
  await page.keyboard.press("Escape");
});

test("opens the next film by shortcut, and shows a large film in full resolution", async ({ page }) => {
  await ask(page, "settings.save", { measuresOnArrival: false });
  await openFilms(page, [phantom("dog-large-01.jpg")]);
  await openRow(page, "dog-large-01.jpg");
  expect(await page.locator(".readout").innerText()).toContain("3000 × 2400");
  expect(await page.locator(".stage canvas").getAttribute("data-painter")).toBe("webgl");
  await page.keyboard.press("j");
  await expect.poll(() => page.locator(".readout").innerText()).not.toContain("3000 × 2400");
  await page.keyboard.press("k");
  await expect.poll(() => page.locator(".readout").innerText()).toContain("3000 × 2400");
});

test("compares four films of a patient: swapped, inverted, without marks, and annotated", async ({ page }) => {
  const films = (await ask(page, "films.list", {})).films.filter(({ fileName }) => !fileName.includes("large"));
  const bello = await createPatient(page, "Bello", { owner: "A. Kern" });
  await ask(page, "films.assignPatient", { filmIds: films.map(({ id }) => id), patientId: bello.id });
  for (const [index, { id }] of films.entries())
    await ask(page, "films.edit", { filmId: id, takenAt: `2026-0${index + 1}-05T00:00:00.000Z` });
  await page.keyboard.press("Alt+2");
  await page.getByRole("button", { name: /Bello/ }).first().click();
  await page.getByRole("checkbox").nth(3).waitFor();
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Compare films" }).click();
  const stages = page.locator(".compared-stage");
  await expect.poll(() => stages.locator(".landmark").count()).toBe(24);
  const titles = () => page.locator(".compared-film figcaption strong").allInnerTexts();
  expect(await titles()).toEqual(["Film 1", "Film 2", "Film 3", "Film 4"]);
  expect(await page.locator(".compared-film figcaption").first().innerText()).toMatch(
    /Bello · 05\/01\/2026\s+VHS [\d.]+ v \([\d.]+–[\d.]+\)\s+VLAS [\d.]+ v \([\d.]+–[\d.]+\)/,
  );
  await page.keyboard.press("Shift+S");
  expect(await titles()).toEqual(["Film 4", "Film 3", "Film 2", "Film 1"]);
  await page.keyboard.press("o");
  await expect.poll(() => stages.locator(".landmark").count()).toBe(0);
  await page.keyboard.press("o");
  await page.keyboard.press("i");
  await page.keyboard.press("Shift+D");
  const box = (await stages.nth(1).boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.7);
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.7);
  await expect.poll(() => stages.nth(1).getByTestId("annotation-length").count()).toBe(1);
  await page.keyboard.press("Control+z");
  await expect.poll(() => stages.nth(1).getByTestId("annotation-length").count()).toBe(0);
  expect(await stages.getByTestId("scale-bar").count()).toBe(4);
});
