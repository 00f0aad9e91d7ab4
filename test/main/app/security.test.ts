// Needs its own process: starts the desktop program, whose modules run once
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { desktopChannels } from "../../../core/contract/desktop.ts";
import type * as StandIn from "../../fixtures/electron-stand-in.ts";
import { launchProgram, type LaunchedProgram } from "./launch-program.ts";

let program: LaunchedProgram;
let standIn: typeof StandIn;
let window: StandIn.BrowserWindow;

beforeAll(async () => {
  program = await launchProgram();
  standIn = program.standIn;
  window = standIn.BrowserWindow.opened[0]!;
});
afterAll(async () => {
  await program.quit();
  rmSync(program.dataDir, { recursive: true, force: true });
});

/**
 * Points of Electron's security checklist, by number. 15 (shell) is tested with the handlers that use it, 16 (a current
 * Electron) is package.json, 19 (fuses) the test of the package.
 */
describe("Electron's security checklist", () => {
  const preferences = () => window.options.webPreferences!;

  it("1: only loads secure content: the page comes from the program itself, and every request elsewhere is cancelled", () => {
    expect(window.loaded).toBe("corvet://app/");
    const cancelled = (url: string) => {
      let answer: boolean | undefined;
      standIn.installed.beforeRequest!({ url }, ({ cancel }) => (answer = cancel));
      return answer;
    };
    expect(
      ["https://example.com/x.js", "http://localhost/", "file:///etc/passwd", "ws://a", "ftp://a", "nonsense"].map(
        cancelled,
      ),
    ).toEqual([true, true, true, true, true, true]);
    expect(["corvet://app/assets/a.js", "blob:corvet://app/1", "data:image/png;base64,"].map(cancelled)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("2, 3, 4: no Node in the page, context isolation, sandbox", () => {
    expect(preferences()).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      contextIsolation: true,
      sandbox: true,
    });
    expect(standIn.recorded.map(({ name }) => name)).toContain("enableSandbox");
  });

  it("5: permissions: the camera without microphone, for our page's own frame", () => {
    const asks = (permission: string, mediaTypes: string[], url: string, isMainFrame = true) => {
      let answer: boolean | undefined;
      const details = { requestingUrl: url, isMainFrame, mediaTypes } as never;
      standIn.installed.permissionRequest!(
        { getURL: () => url } as never,
        permission as never,
        (granted) => (answer = granted),
        details,
      );
      return answer;
    };
    const own = "corvet://app/";
    expect(asks("media", ["video"], own)).toBe(true);
    expect([
      asks("media", ["audio"], own),
      asks("media", ["video", "audio"], own),
      asks("media", [], own),
      asks("media", ["video"], "https://evil.example/"),
      asks("media", ["video"], own, false),
    ]).toEqual([false, false, false, false, false]);
    expect([asks("media", ["video"], "corvet://other/"), asks("media", ["video"], "corvet://app.evil/")]).toEqual([
      false,
      false,
    ]);
    const denied = [
      "geolocation",
      "notifications",
      "midi",
      "midiSysex",
      "pointerLock",
      "openExternal",
      "hid",
      "serial",
      "usb",
      "display-capture",
      "clipboard-read",
      "idle-detection",
      "speaker-selection",
      "window-management",
      "fileSystem",
      "unknown",
    ];
    expect(denied.map((permission) => asks(permission, [], own))).toEqual(denied.map(() => false));
    const check = standIn.installed.permissionCheck!;
    const isGranted = (permission: string, origin: string, mediaType: string) =>
      check(null, permission as never, origin, { mediaType } as never);
    expect([
      isGranted("media", own, "video"),
      isGranted("media", own, "audio"),
      isGranted("media", "https://a/", "video"),
      isGranted("usb", own, "unknown"),
    ]).toEqual([true, false, false, false]);
    expect(standIn.installed.devicePermission!({} as never)).toBe(false);
  });

  it("6, 8, 9, 10: web security is on, no insecure content, nothing experimental, no blink features", () => {
    expect(preferences()).toMatchObject({
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
    });
    expect(preferences()).not.toHaveProperty("enableBlinkFeatures");
  });

  it("7: every answer of the page's scheme carries a policy without unsafe parts", async () => {
    const answer = standIn.installed.schemes.get("corvet")!;
    for (const url of ["corvet://app/", "corvet://app/assets/none.js", "corvet://app/app/films/none/pixels"]) {
      const policy = (await answer(new Request(url))).headers.get("content-security-policy")!;
      expect(policy, url).toContain("default-src 'none'");
      expect(policy, url).not.toMatch(/unsafe|\*|http/);
    }
    expect((await answer(new Request("corvet://elsewhere/"))).status).toBe(404);
  });

  it("11, 12: no webview", () => {
    expect(preferences().webviewTag).toBe(false);
    expect(isPrevented("will-attach-webview")).toBe(true);
  });

  it("13, 14: no navigation but a reload of the page, and no second window", () => {
    expect(window.webContents.openHandler!({ url: "corvet://app/" })).toEqual({ action: "deny" });
    for (const event of ["will-navigate", "will-frame-navigate"]) {
      expect(isPrevented(event)).toBe(false);
      for (const url of ["corvet://app/elsewhere", "corvet://app", "corvet://other/", "https://example.com/"])
        expect(isPrevented(event, { url })).toBe(true);
      expect(isPrevented(event, { isMainFrame: false })).toBe(true);
    }
    expect(isPrevented("will-redirect")).toBe(true);
  });

  it("17: every call checks its sender, and the contract checks the rest", async () => {
    expect([...standIn.ipcHandlers.keys()].sort()).toEqual([...desktopChannels].sort());
    const page = window.webContents;
    const ask = (senderFrame: unknown, request: unknown = {}) =>
      standIn.ipcHandlers.get("films.counts")!({ senderFrame, sender: page }, request);
    expect(await ask(page.mainFrame)).toMatchObject({ ok: true });
    for (const frame of [null, { url: "corvet://app/" }, { url: "https://evil.example" }])
      expect(await ask(frame)).toMatchObject({ ok: false, code: "FOREIGN_SENDER" });
    const navigated = { mainFrame: { url: "https://evil.example/" } };
    expect(
      await standIn.ipcHandlers.get("films.counts")!(
        { senderFrame: navigated.mainFrame, sender: navigated as never },
        {},
      ),
    ).toMatchObject({ ok: false, code: "FOREIGN_SENDER" });
    expect(await ask(page.mainFrame, { surprise: 1 })).toMatchObject({ ok: false, code: "INVALID_FIELD" });
  });

  it("18: serves the page under a scheme of the program instead of file:", () => {
    expect(standIn.privilegedSchemes).toEqual([
      { scheme: "corvet", privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
    ]);
  });

  it("20: the page gets the contract and nothing of Electron", async () => {
    await import("../../../preload/preload.ts");
    expect([...standIn.exposed.keys()]).toEqual(["corvet"]);
    expect(Object.keys(standIn.exposed.get("corvet") as object).sort()).toEqual(["calls", "platform", "subscribe"]);
  });

  function isPrevented(event: string, details = {}): boolean {
    const preventDefault = vi.fn();
    window.webContents.emit(event, { preventDefault, url: "corvet://app/", isMainFrame: true, ...details });
    return preventDefault.mock.calls.length > 0;
  }
});
