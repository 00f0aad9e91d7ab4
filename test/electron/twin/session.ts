import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import type Electron from "electron";
import fastify from "fastify";
import type { BrowserContext, Download } from "playwright-core";
import { chromiumWith } from "../../fixtures/chromium.ts";
import type { PartOf } from "./app.ts";

type Handler = Parameters<Electron.Protocol["handle"]>[1];
type PermissionRequest = Parameters<Electron.Session["setPermissionRequestHandler"]>[0];
type PermissionCheck = Parameters<Electron.Session["setPermissionCheckHandler"]>[0];
type BeforeRequest = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void;

/** Address of the page as seen by the main process, and in Chromium. */
export const pageAddress = { inMain: "", inChromium: "" };
export const toChromium = (url: string): string => url.replace(pageAddress.inMain, pageAddress.inChromium);
export const toMain = (url: string): string => url.replace(pageAddress.inChromium, pageAddress.inMain);

/** Chromium's context, set before the application is ready. */
export let context: BrowserContext;

/** Starts Chromium, which can only reach the page's address. */
export async function startChromium(): Promise<void> {
  // Chromium does not support custom schemes, but treats this host as a secure origin.
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  pageAddress.inChromium = `${address.replace("127.0.0.1", "corvet.localhost")}/`;
  const [profile = "", ...more] = JSON.parse(process.env["TWIN_CHROMIUM"] ?? "[]") as string[];
  // A program started by this one needs another profile.
  delete process.env["TWIN_CHROMIUM"];
  const addresses = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1";
  // A second start ends before it needs Chromium.
  const { chromium } = await import("playwright-core");
  context = await chromium.launchPersistentContext(profile, {
    ...chromiumWith("--use-fake-device-for-media-stream", addresses, ...more),
    viewport: null,
    // The program itself handles signals.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Headers that requests of a custom scheme do not have. */
const networkHeaders = /^(host|connection|content-length|transfer-encoding|accept-(encoding|language)|sec-fetch-.*)$/;

/** Passes requests to the scheme's handler without content-length and signal: lib/browser/api/protocol.ts. */
const server = fastify();
server.removeAllContentTypeParsers();
server.addContentTypeParser("*", (_request, body, done) => done(null, Readable.toWeb(body)));
server.setErrorHandler((error, { raw }) => {
  console.error(error);
  raw.destroy();
});
server.all("*", ({ method, url, headers: all, body = null }) => {
  const headers = Object.entries(all).filter(([name]) => !networkHeaders.test(name));
  const init = { method, headers, body, duplex: "half" } as RequestInit;
  return defaultSession.handler!(new Request(new URL(url, pageAddress.inMain), init));
});

/** Chromium's names of permissions, Electron's names if different, and the media type. */
const permissions = [
  ["camera", "media", "video"],
  ["microphone", "media", "audio"],
  ["clipboard-write", "clipboard-sanitized-write"],
  ["geolocation"],
  ["notifications"],
] as const;

class Session extends EventEmitter implements PartOf<Electron.Session, "protocol" | "webRequest"> {
  handler: Handler | null = null;
  beforeRequest: BeforeRequest | null = null;
  #permissionRequest: PermissionRequest = null;
  #permissionCheck: PermissionCheck = null;
  readonly protocol = { handle: (_scheme: string, handler: Handler) => void (this.handler = handler) };
  readonly webRequest = { onBeforeRequest: (listener: BeforeRequest) => void (this.beforeRequest = listener) };
  setPermissionRequestHandler = (handler: PermissionRequest) => void (this.#permissionRequest = handler);
  setPermissionCheckHandler = (handler: PermissionCheck) => void (this.#permissionCheck = handler);
  setDevicePermissionHandler = () => undefined;
  setSpellCheckerLanguages = () => undefined;
  fetch = fetch;

  /** Grants only what the handlers grant: shell/browser/electron_permission_manager.cc. */
  async applyPermissions(contents: Electron.WebContents): Promise<void> {
    const requestingUrl = contents.getURL();
    const granted = permissions.filter(([inChromium, name = inChromium, mediaType]) => {
      const details = { requestingUrl, isMainFrame: true, mediaTypes: [mediaType], mediaType } as never;
      let isGranted = this.#permissionRequest === null;
      this.#permissionRequest?.(contents, name as never, (isAllowed) => (isGranted = isAllowed), details);
      return isGranted && this.#permissionCheck?.(contents, name as never, requestingUrl, details) !== false;
    });
    await context.grantPermissions(
      granted.map(([name]) => name),
      { origin: pageAddress.inChromium },
    );
  }

  /** Without a path Electron asks for one; the twin discards the file: docs/api/download-item.md */
  async download(download: Download): Promise<void> {
    const item = { savePath: "", setSavePath: (file: string) => void (item.savePath = file) };
    this.emit("will-download", {}, item);
    if (item.savePath) await download.saveAs(item.savePath);
  }
}

export const defaultSession = new Session();
export const session = { defaultSession, fromPartition: () => new Session() };
export const protocol = {
  registerSchemesAsPrivileged([{ scheme }]: [Electron.CustomScheme]): void {
    assert(pageAddress.inChromium === "", "protocol.registerSchemesAsPrivileged should be called before app is ready");
    pageAddress.inMain = `${scheme}://app/`;
  },
};
