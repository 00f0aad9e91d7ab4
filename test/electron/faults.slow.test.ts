import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Route } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { english } from "../../core/language/english.ts";
import { answerNext, call, desktopOf, driver, pressMenuKeys, quit } from "./electron-program.ts";
import { launchForTest, shareProgram } from "./for-tests.ts";

const texts = english.menu;

describe(`faults in the window of ${driver}`, () => {
  const shared = shareProgram();
  const lastAsked = async () => (await desktopOf(shared.program)).asked.at(-1)?.message;
  /** Playwright cannot control a page whose process has ended, even after a reload. */
  const isShown = () =>
    shared.program.inMain(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("document.querySelector('.rail') !== null"),
    );
  const loaded = () =>
    shared.program.inMain(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) =>
          BrowserWindow.getAllWindows()[0]?.webContents.once("did-finish-load", () => resolve()),
        ),
    );

  /**
   * Blocks the page with a synchronous request. The twin reports that the page hangs at once, Electron after five
   * seconds.
   *
   * @returns the request, whose response ends the block
   */
  const hang = async () => {
    const held = Promise.withResolvers<Route>();
    await shared.page.route("**/hang", held.resolve);
    await shared.page.evaluate(
      () =>
        void setTimeout(() => {
          const request = new XMLHttpRequest();
          request.open("GET", "/hang", false);
          request.send();
        }),
    );
    // Chromium detects a hanging page only by an input event without a response.
    shared.page.mouse.click(10, 10).catch(() => undefined);
    const request = await held.promise;
    await shared.program.inMain(({ BrowserWindow }) => {
      for (const { webContents } of BrowserWindow.getAllWindows())
        Object.assign(webContents, { nextResponseLimitMs: 0 });
    });
    return request;
  };

  it("shows a message for a malformed call of the page", async () => {
    await pressMenuKeys(shared.program, shared.page, "ControlOrMeta+Comma", texts.settings);
    const language = shared.page.getByLabel("Language", { exact: true });
    await language.evaluate((select: HTMLSelectElement) => select.add(new Option("Klingon", "tlh")));
    await language.selectOption("tlh");
    await shared.page.getByText(english.errors.INVALID_FIELD).waitFor();
    expect((await call(shared.page, "settings.get", {})).language).toBe("en");
  });

  it.each([
    ["an uncaught exception", () => void setImmediate(() => void JSON.parse("a fault of the test"))],
    ["an unhandled rejection", () => void Promise.reject(new Error("a fault of the test"))],
  ])("reports %s of the main process and continues to run", async (_title, fail) => {
    await shared.page.reload();
    await shared.page.locator(".rail").waitFor();
    await shared.program.inMain(fail);
    await shared.page.getByText(english.errors.INTERNAL).first().waitFor();
    expect((await call(shared.page, "settings.get", {})).language).toBe("en");
  });

  it("ignores the event that Electron emits after the page prevented a close", async () => {
    const before = (await desktopOf(shared.program)).asked.length;
    await shared.program.inMain(({ BrowserWindow }) => void BrowserWindow.getAllWindows()[0]?.emit("unresponsive"));
    expect((await desktopOf(shared.program)).asked).toHaveLength(before);
  });

  it("offers to wait for a hanging page and closes the dialog when the page responds", async () => {
    const held = await hang();
    await expect.poll(lastAsked).toBe(texts.hanging);
    await held.fulfill();
    await expect.poll(async () => (await desktopOf(shared.program)).open).toBe(0);
    expect(await isShown()).toBe(true);
  });

  it("reloads a hanging page", async () => {
    await answerNext(shared.program, texts.reload);
    const isReloaded = loaded();
    await hang();
    await isReloaded;
    await expect.poll(isShown).toBe(true);
    expect(await lastAsked()).toBe(texts.hanging);
  });

  it("reloads a page whose process has ended", async () => {
    await answerNext(shared.program, texts.reload);
    const isReloaded = loaded();
    await shared.program.inMain(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await isReloaded;
    expect(await lastAsked()).toBe(texts.crashed);
    await expect.poll(isShown).toBe(true);
    expect(await quit(shared.program)).toBe(0);
  });
});

const mayMount = process.platform === "linux" && process.getuid?.() === 0;
if (!mayMount) console.info("skipped: only root on Linux can mount a small disk");

it.runIf(mayMount)(`explains a full disk at the first start of ${driver}`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-full-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true });
  });
  const dataDir = path.join(folder, "data");
  mkdirSync(dataDir);
  const program = await launchForTest({ dataDir });
  expect(await program.exited).toBe(1);
  expect(program.printed()).toContain(`${texts.cannotStart}\n${english.errors.DISK_FULL}`);
  expect(existsSync(path.join(dataDir, "server.json"))).toBe(false);
});
