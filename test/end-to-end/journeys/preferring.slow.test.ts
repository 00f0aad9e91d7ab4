import { readFileSync } from "node:fs";
import sharp from "sharp";
import { afterEach, expect } from "vitest";
import type { Page } from "playwright-core";
import { drag, middleOf, nextFrame, openFilms, openRow, openSettings, stageBrightness } from "../actions.ts";
import { ask, hold, openWindow, phantom, refuse } from "../program.ts";
import { startJourney } from "../journey.ts";

const opacity = (page: Page) => page.locator("svg.overlay").getAttribute("opacity");
const windowShown = async (page: Page) => await page.locator(".readout span").first().innerText();

/** Preferences are stored in the program: they apply in another browser, which shares nothing else with this one. */
const { browser, program, window, test } = startJourney();

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
// A failed step leaves no preference behind.
afterEach(() => ask(window().page, "settings.save", { view: {} }));
const isStored = (page: Page, name: string) =>
  expect.poll(async () => (await ask(page, "settings.get", {})).view[name]);

test("keeps opacity, visible layers, the user's window and the unit of a blood value in another browser", async ({
  page,
}) => {
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
  // The next film opens with this window.
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

test("shows another window's change in a field, and does not overwrite it", async ({ page }) => {
  await page.keyboard.press("Alt+7");
  const clinic = page.getByLabel("Practice", { exact: true });
  await clinic.waitFor();
  // By a call, which the page's state does not notice, as one of another window.
  await ask(page, "settings.save", { clinicName: "Tierklinik Sommer" });
  await expect.poll(() => clinic.inputValue()).toBe("Tierklinik Sommer");
  await clinic.focus();
  await page.keyboard.press("Tab");
  await clinic.fill("Sommer & Weber");
  await clinic.press("Enter");
  await expect.poll(async () => (await ask(page, "settings.get", {})).clinicName).toBe("Sommer & Weber");
  await ask(page, "settings.save", { clinicName: "" });
  await expect.poll(() => clinic.inputValue()).toBe("");
  await page.keyboard.press("Alt+1");
});

const asksBeforeClosing = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

test("keeps a setting that could not be saved while another page is shown, until it is saved", async ({ page }) => {
  const clinic = page.getByLabel("Practice", { exact: true });
  await page.keyboard.press("Alt+7");
  await refuse(page, "settings.save", "STORE_BUSY");
  await clinic.fill("Sommer & Roth");
  await page.getByRole("tab", { name: "Users" }).click();
  await page.locator(".toast.fault").filter({ hasText: "The database is in use" }).waitFor();
  expect(await asksBeforeClosing(page)).toBe(true);
  await page.getByRole("tab", { name: "General" }).click();
  expect(await clinic.inputValue()).toBe("Sommer & Roth");
  await page.unroute("**/app/call/settings.save");
  const save = await hold(page, "settings.save");
  await clinic.focus();
  await page.keyboard.press("Alt+1");
  save();
  await expect.poll(() => asksBeforeClosing(page)).toBe(false);
  await page.unroute("**/app/call/settings.save");
  expect((await ask(page, "settings.get", {})).clinicName).toBe("Sommer & Roth");
  await ask(page, "settings.save", { clinicName: "" });
});

test("marks a value that the program refuses at its field, until it is changed", async ({ page }) => {
  await openSettings(page, "Local service");
  const hostNames = page.getByLabel("Additional host names");
  await hostNames.fill("xray.local https://xray.local");
  await page.getByText("Not valid: https://xray.local").waitFor();
  await hostNames.fill("");
  for (const [tab, button] of [
    ["Folders", "Save receiver"],
    ["Database", "Test connection"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByLabel("Host name or IP address").fill("the server");
    await page.getByText("Enter a host name or an address, without spaces").waitFor();
    expect(await page.getByRole("button", { name: button }).isDisabled()).toBe(true);
    await page.getByLabel("Host name or IP address").fill("");
  }
  await page.getByRole("tab", { name: "General" }).click();
  const code = page.getByLabel("Clinic code");
  await refuse(page, "settings.save", "INVALID_FIELD");
  await code.fill("sommer-1");
  await code.blur();
  await page.getByText("A value is not valid").waitFor();
  expect(await code.getAttribute("aria-invalid")).toBe("true");
  await code.fill("");
  await page.getByText("A value is not valid").waitFor({ state: "detached" });
  await page.unroute("**/app/call/settings.save");
  await page.keyboard.press("Alt+1");
});

test("shows film, tools and result in full screen, with working menus, and restores the rest", async ({ page }) => {
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

test("paints every pixel of a double-density display, and shows film pixels unchanged at 1:1", async () => {
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
      // A strip from the middle of the film appears unchanged on the screen.
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
