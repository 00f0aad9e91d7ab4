import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type Electron from "electron";
import type { PartOf } from "./app.ts";
import type { BrowserContext, Download } from "playwright-core";

type Handler = Parameters<Electron.Protocol["handle"]>[1];
type PermissionRequest = Parameters<Electron.Session["setPermissionRequestHandler"]>[0];
type PermissionCheck = Parameters<Electron.Session["setPermissionCheckHandler"]>[0];
type BeforeRequest = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void;

/** Address of the page for the main process, and in Chromium. */
export const pageAddress = { inMain: "", inChromium: "" };
export const toChromium = (url: string): string => url.replace(pageAddress.inMain, pageAddress.inChromium);
export const toMain = (url: string): string => url.replace(pageAddress.inChromium, pageAddress.inMain);

/** Chromium's names of permissions, Electron's where they differ, and the kind of medium. */
const permissions = [
  ["camera", "media", "video"],
  ["microphone", "media", "audio"],
  ["clipboard-write", "clipboard-sanitized-write"],
  ["geolocation"],
  ["notifications"],
] as const;

class Session extends EventEmitter implements PartOf<Electron.Session, "protocol" | "webRequest"> {
  handler: Handler | null = null;
  #beforeRequest: BeforeRequest | null = null;
  #permissionRequest: PermissionRequest = null;
  #permissionCheck: PermissionCheck = null;
  readonly protocol = { handle: (_scheme: string, handler: Handler) => void (this.handler = handler) };
  readonly webRequest = { onBeforeRequest: (listener: BeforeRequest) => void (this.#beforeRequest = listener) };
  setPermissionRequestHandler = (handler: PermissionRequest) => void (this.#permissionRequest = handler);
  setPermissionCheckHandler = (handler: PermissionCheck) => void (this.#permissionCheck = handler);
  setDevicePermissionHandler = () => undefined;
  fetch = fetch;

  /** shell/browser/api/electron_api_web_request.cc */
  isBlocked(url: string): boolean {
    let isBlocked = false;
    this.#beforeRequest?.({ url }, ({ cancel = false }) => (isBlocked = cancel));
    return isBlocked;
  }

  /** Grants what the handlers grant, and denies all else: shell/browser/electron_permission_manager.cc. */
  async applyPermissions(contents: Electron.WebContents, context: BrowserContext): Promise<void> {
    const requestingUrl = contents.getURL();
    const granted = permissions.filter(([inChromium, name = inChromium, mediaType]) => {
      const details = { requestingUrl, isMainFrame: true, mediaTypes: [mediaType], mediaType } as never;
      let isGranted = this.#permissionRequest === null;
      this.#permissionRequest?.(contents, name as never, (isAllowed) => (isGranted = isAllowed), details);
      return isGranted && this.#permissionCheck?.(contents, name as never, requestingUrl, details) !== false;
    });
    const names = granted.map(([name]) => name);
    await context.grantPermissions(names, { origin: new URL(pageAddress.inChromium).origin });
  }

  /** docs/api/download-item.md; without a path Electron asks for one, here the file is dropped. */
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
