import { describe, expect, it } from "vitest";
import { shownScore } from "../../core/cardiac/shown-score.ts";
import { dropOnWindow, film, filmNamed, measuredFilm, pidOfService } from "./actions.ts";
import { call, driver } from "./electron-program.ts";
import { shareProgram } from "./for-tests.ts";

describe(`a film in the window of ${driver}`, () => {
  const shared = shareProgram(() => ({ runsNetworks: true }));

  it("measures a dropped film and shows its score and pixels", async () => {
    await dropOnWindow(shared.page, [film("dog-02.jpg")]);
    const { reading } = await measuredFilm(shared.page, "dog-02.jpg");
    await expect.poll(() => shared.page.getByTestId("vhs").innerText()).toContain(shownScore(reading!.vhs!).toFixed(1));
    await expect.poll(() => shared.page.locator(".stage canvas").getAttribute("data-painter")).toMatch(/webgl|canvas/);
    await shared.page.locator(".stage-cover").waitFor({ state: "detached" });
  });

  it("corrects the reading by keyboard and keeps both readings", async () => {
    await shared.page.keyboard.press("c");
    await shared.page.locator("[data-handle=heart_bottom]").focus();
    await shared.page.keyboard.press("Shift+ArrowDown");
    await shared.page.keyboard.press("ControlOrMeta+s");
    await shared.page.getByTestId("version").filter({ hasText: "Corrected" }).waitFor();
    const { readings } = await call(shared.page, "films.get", {
      filmId: (await filmNamed(shared.page, "dog-02.jpg"))!.id,
    });
    expect(readings.map(({ source, who }) => [source, who])).toEqual([
      ["model", null],
      ["person", "Dr Weber"],
    ]);
  });

  it("accepts the correction by keyboard", async () => {
    await shared.page.keyboard.press("y");
    const verdict = async () => (await filmNamed(shared.page, "dog-02.jpg"))?.reading?.verdict;
    await expect.poll(verdict).toBe("accepted");
  });

  it("reloads its page", async () => {
    await shared.page.evaluate(() => Object.assign(window, { isBeforeReload: true }));
    await shared.page.evaluate(() => window.location.reload()).catch(() => undefined);
    await expect.poll(() => shared.page.evaluate(() => "isBeforeReload" in window)).toBe(false);
    await shared.page.locator(".rail").waitFor();
  });

  it("restarts with its arguments", async () => {
    const before = pidOfService(shared.dataDir);
    await call(shared.page, "database.restart", {}).catch(() => undefined);
    expect(await shared.program.exited).toBe(0);
    await expect.poll(() => pidOfService(shared.dataDir) ?? before).not.toBe(before);
    process.kill(pidOfService(shared.dataDir)!, "SIGTERM");
    await expect.poll(() => pidOfService(shared.dataDir)).toBeNull();
  });
});
