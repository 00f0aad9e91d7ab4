import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shownScore } from "../../core/cardiac/shown-score.ts";
import { dropOnWindow, film, filmNamed, measuredFilm, pidOfService } from "./actions.ts";
import { call, driver, launch, makeDataDir, removeDataDir, type DesktopProgram } from "./electron-program.ts";

describe(`a film in the window of ${driver}`, async () => {
  const dataDir = await makeDataDir();
  let program: DesktopProgram;
  let page: Page;
  beforeAll(async () => {
    program = await launch({ dataDir });
    page = await program.page();
  });
  afterAll(async () => {
    await program?.end();
    removeDataDir(dataDir);
  });

  it("measures a film that is dropped, and shows its score and its pixels", async () => {
    await dropOnWindow(page, [film("dog-02.jpg")]);
    const { reading } = await measuredFilm(page, "dog-02.jpg");
    await expect.poll(() => page.getByTestId("vhs").innerText()).toContain(shownScore(reading!.vhs!).toFixed(1));
    await expect.poll(() => page.locator(".stage canvas").getAttribute("data-painter")).toMatch(/webgl|canvas/);
    await page.locator(".stage-cover").waitFor({ state: "detached" });
  });

  it("corrects the reading by keyboard and keeps both", async () => {
    await call(page, "settings.save", { userName: "Dr Weber", language: "en" });
    await page.keyboard.press("c");
    await page.locator("[data-handle=heart_bottom]").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByTestId("version").filter({ hasText: "Corrected" }).waitFor();
    const { readings } = await call(page, "films.get", { filmId: (await filmNamed(page, "dog-02.jpg"))!.id });
    expect(readings.map(({ source, who }) => [source, who])).toEqual([
      ["model", null],
      ["person", "Dr Weber"],
    ]);
  });

  it("reloads its page", async () => {
    await page.evaluate(() => Object.assign(window, { isBeforeReload: true }));
    await page.evaluate(() => window.location.reload()).catch(() => undefined);
    await expect.poll(() => page.evaluate(() => "isBeforeReload" in window)).toBe(false);
    await page.locator(".rail").waitFor();
  });

  it("restarts with its arguments", async () => {
    const before = pidOfService(dataDir);
    await call(page, "database.restart", {}).catch(() => undefined);
    expect(await program.exited).toBe(0);
    await expect.poll(() => pidOfService(dataDir) ?? before).not.toBe(before);
    process.kill(pidOfService(dataDir)!, "SIGTERM");
    await expect.poll(() => pidOfService(dataDir)).toBeNull();
  });
});
