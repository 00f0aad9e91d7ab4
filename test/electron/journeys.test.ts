import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DesktopBridge, DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import { findRuntime } from "../../main/commands/package-runtime.ts";

declare const window: { readonly corvet: DesktopBridge; readonly require?: unknown; readonly process?: unknown };

const runtime = findRuntime(process.cwd());
const isBuilt = existsSync("dist/main/app/main.js") && existsSync("dist/renderer/index.html") && existsSync("dist/preload/preload.cjs");
const hasDisplay = process.platform !== "linux" || Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
const missing = !runtime ? "there is no Electron runtime on this machine" : !hasDisplay ? "this machine has no display" : !isBuilt ? "the program is not built (npm run build)" : null;
if (missing) console.warn(`SKIPPED: the journeys in Electron itself: ${missing}. The same page and services are driven in Chromium.`);

describe.skipIf(missing !== null)(`journeys in Electron${missing ? ` (skipped: ${missing})` : ""}`, () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-electron-"));
  let electron: ElectronApplication;
  let page: Page;

  const launch = async () => {
    const executable = { win32: "electron.exe", darwin: "Electron.app/Contents/MacOS/Electron" }[process.platform as "win32"] ?? "electron";
    electron = await _electron.launch({
      executablePath: path.join(runtime ?? "", executable),
      args: [process.cwd(), `--data-dir=${dataDir}`, "--port=0", path.resolve("test/fixtures/films/dog-01.jpg")],
    });
    page = await electron.firstWindow();
    await page.waitForLoadState("domcontentloaded");
  };
  const call = <C extends DesktopChannel>(channel: C, request: DesktopRequest<C>) =>
    page.evaluate(async ([name, sent]) => {
      const answer = await (window.corvet.calls[name as DesktopChannel] as (request: unknown) => ReturnType<DesktopBridge["calls"][DesktopChannel]>)(sent);
      if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
      return answer.value;
    }, [channel, request] as const) as Promise<DesktopResponse<C>>;

  beforeAll(launch, 60_000);
  afterAll(async () => {
    await electron?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("shows the page from its own scheme, without Node, with the contract", async () => {
    expect(page.url()).toMatch(/^corvet:\/\/app\//);
    expect(await page.evaluate(() => [typeof window.require, typeof window.process, typeof window.corvet.calls["films.list"]])).toEqual(["undefined", "undefined", "function"]);
  });

  it("measures the film of the command line and shows its score", async () => {
    await expect.poll(async () => (await call("films.list", {})).films[0]?.state, { timeout: 30_000 }).toBe("done");
    const { films } = await call("films.list", {});
    const { vhs } = films[0]!.reading!;
    expect(vhs).not.toBeNull();
    await page.getByText(vhs!.toFixed(1)).first().waitFor();
  });

  it("takes dropped bytes and gives pixels by the page's own scheme", async () => {
    const shape = await page.evaluate(async () => {
      const answer = (await (await fetch("/app/films?name=none.png", { method: "PUT", body: "no film" })).json()) as { code: string };
      const { films } = ((await window.corvet.calls["films.list"]({})) as { value: { films: { urls: { pixels: string } }[] } }).value;
      const pixels = await fetch(films[0]!.urls.pixels);
      return [answer.code, pixels.headers.get("x-bits"), (await pixels.arrayBuffer()).byteLength > 100_000];
    });
    expect(shape).toEqual(["UNSUPPORTED_IMAGE", "8", true]);
  });

  it("leads nowhere else and loads nothing from elsewhere", async () => {
    const before = page.url();
    await page.evaluate(() => void (globalThis as unknown as { location: { assign(url: string): void } }).location.assign("https://example.com/"));
    await page.waitForTimeout(300);
    expect(page.url()).toBe(before);
    expect(await page.evaluate(() => fetch("https://localhost/").then(() => "loaded", () => "refused"))).toBe("refused");
    expect(await page.evaluate(() => String((globalThis as unknown as { open(url: string): unknown }).open("https://example.com/")))).toBe("null");
  });

  it("keeps its worklist over a restart and holds one instance", async () => {
    await electron.close();
    await launch();
    expect((await call("films.list", {})).total).toBe(1);
  });
});
