import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shownScore } from "../../core/cardiac/shown-score.ts";
import type { DesktopBridge } from "../../core/contract/desktop.ts";
import {
  call,
  executablePath,
  launchElectron,
  makeDataDir,
  programArguments,
  usablePage,
  whatIsMissing,
  type ElectronProgram,
} from "./electron-program.ts";

declare const window: {
  readonly corvet: DesktopBridge;
  readonly require?: unknown;
  readonly process?: unknown;
  open(url: string): unknown;
  readonly location: { assign(url: string): void };
};
declare const navigator: { readonly mediaDevices: { getUserMedia(wanted: object): Promise<unknown> } };

const missing = whatIsMissing();
if (missing)
  console.warn(
    `SKIPPED: the journeys in Electron itself: ${missing}. The same page and services are driven in Chromium.`,
  );

const film = (name: string) => path.resolve("test/fixtures/films", name);

describe.skipIf(missing !== null)(`journeys in Electron${missing ? ` (skipped: ${missing})` : ""}`, async () => {
  const dataDir = await makeDataDir();
  let program: ElectronProgram;
  const filmNamed = async (name: string) => (await call(program.page, "films.list", { search: name })).films[0];
  const measured = async (name: string) => {
    await expect.poll(async () => (await filmNamed(name))?.state).toBe("done");
    return (await filmNamed(name))!;
  };

  beforeAll(async () => {
    program = await launchElectron(dataDir, [film("dog-01.jpg")]);
  });
  afterAll(async () => {
    await program?.electron.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("shows the page from its own scheme, sandboxed, without Node, with the contract", async () => {
    const { electron, page } = program;
    expect(page.url()).toMatch(/^corvet:\/\/app\//);
    expect(
      await page.evaluate(() => [
        typeof window.require,
        typeof window.process,
        typeof window.corvet.calls["films.list"],
      ]),
    ).toEqual(["undefined", "undefined", "function"]);
    const isSandboxed = await electron.evaluate(({ app }) =>
      app
        .getAppMetrics()
        .filter(({ type }) => type === "Tab")
        .every(({ sandboxed }) => sandboxed !== false),
    );
    expect(isSandboxed).toBe(true);
  });

  it("measures the film of the command line and shows its score without a click", async () => {
    const { reading } = await measured("dog-01.jpg");
    await expect
      .poll(() => program.page.getByTestId("vhs").innerText())
      .toContain(shownScore(reading!.vhs!).toFixed(1));
  });

  it("opens films from the page and gives their pixels by the page's own scheme", async () => {
    const { page } = program;
    await page.getByTestId("files").setInputFiles([film("dog-02.jpg")]);
    const { reading } = await measured("dog-02.jpg");
    await expect.poll(() => page.getByTestId("vhs").innerText()).toContain(shownScore(reading!.vhs!).toFixed(1));
    await expect.poll(() => page.locator(".stage canvas").getAttribute("data-painter")).toMatch(/webgl|canvas/);
    await page.locator(".stage-cover").waitFor({ state: "detached" });
  });

  it("corrects a reading by keyboard and keeps both", async () => {
    const { page } = program;
    await call(page, "settings.save", { userName: "Dr Weber", language: "en" });
    await page.keyboard.press("c");
    await page.locator("[data-handle=heart_bottom]").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByTestId("version").filter({ hasText: "Corrected" }).waitFor();
    expect(
      (await call(page, "films.get", { filmId: (await filmNamed("dog-02.jpg"))!.id })).readings.map(
        ({ source, who }) => [source, who],
      ),
    ).toEqual([
      ["model", null],
      ["person", "Dr Weber"],
    ]);
  });

  it("obeys the native menu", async () => {
    const { electron, page } = program;
    await electron.evaluate(({ Menu }) => {
      const view = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      view?.find(({ label }) => label === "Urine Screening")?.click();
    });
    await page.getByRole("heading", { name: "Urine concentration screening" }).waitFor();
    await page.keyboard.press("Alt+1");
  });

  it("leads nowhere else, loads nothing from elsewhere, and hears no microphone", async () => {
    const { page } = program;
    const before = page.url();
    await page.evaluate(() => window.location.assign("https://example.com/"));
    expect(
      await page.evaluate(() =>
        fetch("https://localhost/").then(
          () => "loaded",
          () => "refused",
        ),
      ),
    ).toBe("refused");
    expect(await page.evaluate(() => String(window.open("https://example.com/")))).toBe("null");
    expect(
      await page.evaluate(() =>
        navigator.mediaDevices.getUserMedia({ audio: true }).then(
          () => "heard",
          (error: { name: string }) => error.name,
        ),
      ),
    ).toMatch(/NotAllowed|NotFound/);
    expect(page.url()).toBe(before);
  });

  it("holds one instance: a second start hands its files over and ends", async () => {
    const second = spawn(executablePath(), programArguments(dataDir, [film("dog-03.jpg")]), { stdio: "ignore" });
    const [code] = (await once(second, "exit")) as [number | null];
    expect(code).toBe(0);
    await measured("dog-03.jpg");
    expect(program.electron.windows()).toHaveLength(1);
  });

  it("goes on without its window and opens it again", async () => {
    const { electron } = program;
    await Promise.all([
      program.page.waitForEvent("close"),
      electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
    ]);
    expect(existsSync(path.join(dataDir, "server.json"))).toBe(true);
    const [page] = await Promise.all([
      electron.waitForEvent("window"),
      electron.evaluate(({ app }) => void app.emit("activate")),
    ]);
    program = { electron, page: await usablePage(page) };
    expect((await call(page, "films.list", {})).total).toBe(3);
  });

  it("quits with its service and keeps its worklist", async () => {
    await program.electron.close();
    expect(existsSync(path.join(dataDir, "server.json"))).toBe(false);
    program = await launchElectron(dataDir);
    expect((await call(program.page, "films.list", {})).total).toBe(3);
  });
});
