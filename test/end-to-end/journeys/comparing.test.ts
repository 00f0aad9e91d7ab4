import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { brightnessOf, openFilms } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { cutTexts } from "../pictures/cut-texts.ts";
import { ask, phantom } from "../program.ts";

const { window } = startJourney((page) =>
  openFilms(page, ["dog-01.jpg", "dog-02.jpg", "dog-03.jpg", "dog-04.jpg"].map(phantom)),
);

test("four films of a patient are compared: swapped, inverted, without marks, and drawn on with the same tools", async () => {
  const { page } = window();
  const { films } = await ask(page, "films.list", {});
  const bello = await ask(page, "patients.create", {
    ...{ name: "Bello", species: "dog", breed: "", owner: "A. Kern", uuid: null },
  });
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
  await page.screenshot({ path: path.join(tmpdir(), "corvet-compared.png") });
  await page.keyboard.press("Control+z");
  await expect.poll(() => stages.nth(1).getByTestId("annotation-length").count()).toBe(0);
  expect(await stages.getByTestId("scale-bar").count()).toBe(4);
});

test("window presets, sharpening and the magnifier serve the compared films as they serve one", async () => {
  const { page } = window();
  const canvases = page.locator(".compared-stage canvas:not(.loupe canvas)");
  const brightness = async () => Promise.all((await canvases.all()).map(brightnessOf));
  await page.keyboard.press("o");
  const before = await brightness();
  expect(before.length).toBe(4);
  await page.getByRole("button", { name: "Window presets" }).click();
  // Films of one machine each: there is no one window of all four that could be kept.
  expect(await page.getByRole("menuitem", { name: "Save as my window" }).count()).toBe(0);
  await page.getByRole("menuitemcheckbox", { name: "Bone" }).click();
  await expect
    .poll(async () => (await brightness()).map((bright, film) => Math.abs(bright - before[film]!) > 5))
    .toEqual([true, true, true, true]);
  await page.getByRole("button", { name: "Window presets" }).click();
  await page.getByRole("menuitemcheckbox", { name: "As acquired" }).click();
  await page.keyboard.press("i");
  await page.keyboard.press("o");
  await page.getByRole("button", { name: "Sharpen" }).click();
  expect(await page.getByRole("button", { name: "Sharpen" }).getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("z");
  const stage = page.locator(".compared-stage").nth(2);
  const box = (await stage.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.6);
  await stage.getByTestId("loupe").waitFor();
  expect(await page.getByTestId("loupe").count()).toBe(1);
  await page.screenshot({ path: path.join(tmpdir(), "corvet-compared-magnified.png") });
  await page.keyboard.press("z");
  await page.getByTestId("loupe").waitFor({ state: "detached" });
});

test("no text of three compared films is cut in a window of 1024 x 700, in any language", async () => {
  const { page } = window();
  await page.getByRole("region", { name: "Compare films" }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("checkbox").last().uncheck();
  await page.getByRole("button", { name: "Compare films" }).click();
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect.poll(() => page.locator(".compared-film .landmark").count()).toBe(18);
  for (const language of ["de", "fr", "en"] as const) {
    await ask(page, "settings.save", { language });
    await page.locator(`html[lang=${language}]`).waitFor();
    expect({ language, cut: await cutTexts(page) }).toEqual({ language, cut: [] });
  }
});
