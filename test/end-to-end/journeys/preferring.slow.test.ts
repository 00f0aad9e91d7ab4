import { readFileSync } from "node:fs";
import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { drag, middleOf, nextFrame, openFilms, openRow, stageBrightness } from "../actions.ts";
import { ask, openWindow, phantom } from "../program.ts";
import { startJourney } from "../journey.ts";

const opacity = (page: Page) => page.locator("svg.overlay").getAttribute("opacity");
const windowShown = async (page: Page) => await page.locator(".readout span").first().innerText();

/**
 * What the user likes is kept in the store: it holds in another browser, which shares nothing with this one but the
 * program.
 */
const { browser, program, window } = startJourney();

const inAnotherBrowser = async (
  look: (page: Page) => Promise<void>,
  options: Parameters<typeof openWindow>[2] = {},
) => {
  const another = await openWindow(browser(), await program().newAddress(), options);
  try {
    await look(another.page);
    expect(another.complaints).toEqual([]);
  } finally {
    await another.context.close();
  }
};
// A step that fails leaves no preference behind for the next.
afterEach(() => ask(window().page, "settings.save", { view: {} }));
const isStored = (page: Page, name: string) =>
  expect.poll(async () => (await ask(page, "settings.get", {})).view[name]);

test("opacity, visible layers, a window of one's own and the unit of a blood value hold in the next browser", async () => {
  const { page } = window();
  await openFilms(page, [phantom("dog-02.jpg"), phantom("dog-03.jpg")]);
  await openRow(page, "dog-02.jpg");
  for (const key of [",", ",", ",", "."]) await page.keyboard.press(key);
  await expect.poll(() => opacity(page)).toBe("0.8");
  await page.keyboard.press("l");
  await isStored(page, "overlay.hasLabels").toBe(false);
  const plain = await stageBrightness(page);
  const whole = await windowShown(page);
  await page.getByRole("button", { name: "Window presets" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Bone" }).click();
  await expect.poll(() => stageBrightness(page)).toBeLessThan(plain - 10);
  // The next film opens with it.
  await openRow(page, "dog-03.jpg");
  expect(await windowShown(page)).not.toBe(whole);
  const middle = await middleOf(page, ".stage");
  await drag(page, middle, { x: middle.x + 120, y: middle.y + 40 });
  const own = await windowShown(page);
  await page.getByRole("button", { name: "Window presets" }).click();
  await page.getByRole("menuitem", { name: "Save as my window" }).click();
  await isStored(page, "window.preset").toBe("own");
  await page.keyboard.press("Alt+3");
  await page.getByLabel("Unit of Creatinine").selectOption("1");
  await isStored(page, "unit.CREATININE").toBe(1);
  await inAnotherBrowser(async (other) => {
    await openRow(other, "dog-02.jpg");
    expect([await opacity(other), await windowShown(other)]).toEqual(["0.8", own]);
    expect(await other.locator(".mark-label").count()).toBe(0);
    await other.keyboard.press("Alt+3");
    expect(await other.getByLabel("Unit of Creatinine").inputValue()).toBe("1");
  });
  await page.keyboard.press("Alt+1");
  await page.keyboard.press("l");
  await page.getByRole("button", { name: "Window presets" }).click();
  await page.getByRole("menuitemcheckbox", { name: "As acquired" }).click();
  await expect.poll(() => windowShown(page)).toBe(whole);
  await isStored(page, "window.preset").toBe("film");
});

test("a field shows another window's change, and does not overwrite it", async () => {
  const { page } = window();
  await page.keyboard.press("Alt+7");
  const clinic = page.getByLabel("Practice", { exact: true });
  await clinic.waitFor();
  await inAnotherBrowser((other) => ask(other, "settings.save", { clinicName: "Tierklinik Sommer" }).then(() => {}));
  await expect.poll(() => clinic.inputValue()).toBe("Tierklinik Sommer");
  await clinic.focus();
  await page.keyboard.press("Tab");
  await clinic.fill("Sommer & Weber");
  await clinic.press("Enter");
  await expect.poll(async () => (await ask(page, "settings.get", {})).clinicName).toBe("Sommer & Weber");
  await inAnotherBrowser((other) => ask(other, "settings.save", { clinicName: "" }).then(() => {}));
  await expect.poll(() => clinic.inputValue()).toBe("");
  await page.keyboard.press("Alt+1");
});

test("for how many days images are kept is saved when its field is left, never while it is typed", async () => {
  const { page } = window();
  await ask(page, "settings.save", { keepImages: "days", keepImagesDays: 90 });
  await page.keyboard.press("Alt+7");
  const days = page.getByLabel("Days", { exact: true });
  await days.fill("3");
  await days.press("Backspace");
  await page.getByText("Enter a whole number from 1 to 3,650").waitFor();
  await days.pressSequentially("365");
  expect((await ask(page, "settings.get", {})).keepImagesDays).toBe(90);
  await days.blur();
  await expect.poll(async () => (await ask(page, "settings.get", {})).keepImagesDays).toBe(365);
  await ask(page, "settings.save", { keepImages: "until_removed", keepImagesDays: 90 });
  await page.keyboard.press("Alt+1");
});

test("full screen leaves film, tools and result; questions and menus are still seen; Escape brings the rest back", async () => {
  const { page } = window();
  await openRow(page, "dog-02.jpg");
  const before = (await page.locator(".stage").boundingBox())!;
  await page.keyboard.press("Shift+F");
  await page.getByRole("button", { name: "Full screen", pressed: true }).waitFor();
  await expect.poll(() => page.locator(".rail").isVisible()).toBe(false);
  expect((await page.locator(".stage").boundingBox())!.width).toBeGreaterThan(before.width + 200);
  expect(await page.getByRole("complementary", { name: "Result" }).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Overlay", exact: true }).click();
  await page.getByRole("slider", { name: "Opacity" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+F");
  await page.getByRole("button", { name: "Full screen", pressed: false }).waitFor();
  await expect.poll(() => page.locator(".rail").isVisible()).toBe(true);
});

test("on a display of double density the canvas has every pixel of it, and 1:1 shows the film's own pixels unchanged", async () => {
  const film = await sharp(readFileSync(phantom("dog-02.jpg")))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await inAnotherBrowser(
    async (page) => {
      await openRow(page, "dog-02.jpg");
      await page.keyboard.press("o");
      await page.keyboard.press("0");
      const canvas = page.locator(".stage canvas");
      const [size, box] = [
        await canvas.evaluate((node: HTMLCanvasElement) => [node.width, node.height]),
        (await canvas.boundingBox())!,
      ];
      expect(size).toEqual([Math.round(box.width * 2), Math.round(box.height * 2)]);
      await nextFrame(page);
      const shot = await sharp(await canvas.screenshot())
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(shot.info.width).toBe(size[0]);
      // A strip of the film from its middle is found on the screen, exactly, at one place.
      const row = film.info.height >> 1;
      const strip = film.data.subarray(
        row * film.info.width + (film.info.width >> 1),
        row * film.info.width + (film.info.width >> 1) + 64,
      );
      expect(shot.data.includes(strip)).toBe(true);
      await page.keyboard.press("o");
      await page.getByTestId("marks").waitFor();
    },
    { deviceScaleFactor: 2, viewport: { width: 1280, height: 800 } },
  );
});
