import { EventEmitter } from "node:events";
import type { App, IpcMain, Protocol, Session, WebContents } from "electron";
import { describe, expect, it, vi } from "vitest";
import { desktopChannels } from "../../../core/contract/desktop.ts";
import { answerCalls } from "../../../main/app/page-ipc.ts";
import { blockRemoteContent, registerPageScheme } from "../../../main/app/page-protocol.ts";
import { restrictPermissions } from "../../../main/app/permissions.ts";
import { forbidNavigation, pagePreferences } from "../../../main/app/window/page-limits.ts";
import type { Desktop } from "../../../main/ipc/desktop.ts";

const own = "corvet://app/";

/**
 * Items of Electron's security checklist by number. Tested elsewhere: 7 (policy) and 20 (exposed API) in test/electron,
 * 15 (shell) with the handlers that use it, 19 (fuses) with the package. 16 (current Electron) is up to package.json.
 */
describe("Electron's security checklist", () => {
  it("1: cancels all requests to other origins than the page's", () => {
    const onBeforeRequest = vi.fn<Session["webRequest"]["onBeforeRequest"]>();
    const setSpellCheckerLanguages = vi.fn<Session["setSpellCheckerLanguages"]>();
    blockRemoteContent({ webRequest: { onBeforeRequest } as never, setSpellCheckerLanguages });
    expect(setSpellCheckerLanguages).toHaveBeenCalledExactlyOnceWith([]);
    const listener = onBeforeRequest.mock.calls[0]![0] as unknown as (
      details: { url: string },
      answer: (response: { cancel: boolean }) => void,
    ) => void;
    const isCancelled = (url: string) => {
      let isRefused: boolean | undefined;
      listener({ url }, ({ cancel }) => (isRefused = cancel));
      return isRefused;
    };
    const foreign = [
      "https://example.com/x.js",
      "http://localhost/",
      "file:///etc/passwd",
      "ws://a",
      "ftp://a",
      "none",
    ];
    expect(foreign.map(isCancelled)).toEqual(foreign.map(() => true));
    const allowed = ["corvet://app/assets/a.js", "blob:corvet://app/1", "data:image/png;base64,"];
    expect(allowed.map(isCancelled)).toEqual(allowed.map(() => false));
  });

  it("2, 3, 4, 6, 8, 9, 10, 11: isolates and sandboxes the page, with web security and without Node", () => {
    const preferences = pagePreferences({ preload: "preload.cjs", isPackaged: true });
    expect(preferences).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      devTools: false,
    });
    expect(preferences).not.toHaveProperty("enableBlinkFeatures");
  });

  it("5: grants only the camera without microphone, and only to the page's main frame", () => {
    const session = {
      setPermissionRequestHandler: vi.fn<Session["setPermissionRequestHandler"]>(),
      setPermissionCheckHandler: vi.fn<Session["setPermissionCheckHandler"]>(),
      setDevicePermissionHandler: vi.fn<Session["setDevicePermissionHandler"]>(),
    };
    restrictPermissions(session);
    const request = session.setPermissionRequestHandler.mock.calls[0]![0]!;
    const check = session.setPermissionCheckHandler.mock.calls[0]![0]!;
    const isAllowed = (permission: string, mediaTypes: string[], url: string, isMainFrame = true) => {
      let isGranted: boolean | undefined;
      const details = { requestingUrl: url, isMainFrame, mediaTypes } as never;
      request({ getURL: () => url } as never, permission as never, (granted) => (isGranted = granted), details);
      return isGranted;
    };
    expect(isAllowed("media", ["video"], own)).toBe(true);
    expect([
      isAllowed("media", ["audio"], own),
      isAllowed("media", ["video", "audio"], own),
      isAllowed("media", [], own),
      isAllowed("media", ["video"], own, false),
    ]).toEqual([false, false, false, false]);
    const foreign = ["https://evil.example/", "corvet://other/", "corvet://app.evil/"];
    expect(foreign.map((url) => isAllowed("media", ["video"], url))).toEqual([false, false, false]);
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
    expect(denied.map((permission) => isAllowed(permission, [], own))).toEqual(denied.map(() => false));
    const isGranted = (permission: string, origin: string, mediaType: string) =>
      check(null, permission as never, origin, { mediaType } as never);
    expect([
      isGranted("media", own, "video"),
      isGranted("media", own, "audio"),
      isGranted("media", "https://a/", "video"),
      isGranted("usb", own, "unknown"),
    ]).toEqual([true, false, false, false]);
    expect(session.setDevicePermissionHandler.mock.calls[0]![0]!({} as never)).toBe(false);
  });

  it("12, 13, 14: allows reloads, and no other navigation, window or embedded page", () => {
    const app = new EventEmitter();
    const setWindowOpenHandler = vi.fn<WebContents["setWindowOpenHandler"]>();
    const contents = Object.assign(new EventEmitter(), { getURL: () => own, setWindowOpenHandler });
    forbidNavigation(app as App);
    app.emit("web-contents-created", {}, contents);
    const isPrevented = (event: string, details = {}) => {
      const preventDefault = vi.fn();
      contents.emit(event, { preventDefault, url: own, isMainFrame: true, ...details });
      return preventDefault.mock.calls.length > 0;
    };
    expect(setWindowOpenHandler.mock.calls[0]![0]({ url: own } as never)).toEqual({ action: "deny" });
    for (const event of ["will-navigate", "will-frame-navigate"]) {
      expect(isPrevented(event)).toBe(false);
      for (const url of ["corvet://app/elsewhere", "corvet://app", "corvet://other/", "https://example.com/"])
        expect(isPrevented(event, { url })).toBe(true);
      expect(isPrevented(event, { isMainFrame: false })).toBe(true);
    }
    expect([isPrevented("will-redirect"), isPrevented("will-attach-webview")]).toEqual([true, true]);
  });

  it("17: answers only the main frame of the page, on every channel", async () => {
    const handle = vi.fn<IpcMain["handle"]>();
    answerCalls({ handle }, { call: () => Promise.resolve({ ok: true, value: {} }) } as unknown as Desktop);
    expect(handle.mock.calls.map(([channel]) => channel).sort()).toEqual([...desktopChannels].sort());
    const sender = { mainFrame: { url: own } };
    const navigated = { mainFrame: { url: "https://evil.example/" } };
    const call = (event: object) => handle.mock.calls[0]![1](event as never, {}) as unknown;
    expect(await call({ senderFrame: sender.mainFrame, sender })).toMatchObject({ ok: true });
    for (const senderFrame of [null, { url: own }, { url: "https://evil.example" }])
      expect(await call({ senderFrame, sender })).toMatchObject({ ok: false, code: "FOREIGN_SENDER" });
    const foreign = { senderFrame: navigated.mainFrame, sender: navigated };
    expect(await call(foreign)).toMatchObject({ ok: false, code: "FOREIGN_SENDER" });
  });

  it("18: serves the page with a custom scheme instead of file:", () => {
    const registerSchemesAsPrivileged = vi.fn<Protocol["registerSchemesAsPrivileged"]>();
    registerPageScheme({ registerSchemesAsPrivileged });
    expect(registerSchemesAsPrivileged.mock.calls).toEqual([
      [[{ scheme: "corvet", privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } }]],
    ]);
  });
});
