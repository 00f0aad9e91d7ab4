import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type Electron from "electron";
import type { BrowserContext, Download } from "playwright-core";
import { app } from "./app.ts";

type Handler = Parameters<Electron.Protocol["handle"]>[1];
type PermissionRequest = Parameters<Electron.Session["setPermissionRequestHandler"]>[0];
type PermissionCheck = Parameters<Electron.Session["setPermissionCheckHandler"]>[0];
type BeforeRequest = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void;

/** Address of the page for the main process, and in Chromium. */
export const pageAddress = { inMain: "", inChromium: "" };
export const toChromium = (url: string): string => url.replace(pageAddress.inMain, pageAddress.inChromium);
export const toMain = (url: string): string => url.replace(pageAddress.inChromium, pageAddress.inMain);

/** Chromium's names of permissions, and Electron's. */
const permissions = {
  camera: { name: "media", mediaType: "video" },
  microphone: { name: "media", mediaType: "audio" },
  geolocation: { name: "geolocation" },
  notifications: { name: "notifications" },
  "clipboard-write": { name: "clipboard-sanitized-write" },
} as const;

class Session extends EventEmitter {
  handler: Handler | null = null;
  #beforeRequest: BeforeRequest | null = null;
  #permissionRequest: PermissionRequest = null;
  #permissionCheck: PermissionCheck = null;
  readonly protocol = { handle: (_scheme: string, handler: Handler) => void (this.handler = handler) };
  readonly webRequest = { onBeforeRequest: (listener: BeforeRequest) => void (this.#beforeRequest = listener) };
  setPermissionRequestHandler = (handler: PermissionRequest) => void (this.#permissionRequest = handler);
  setPermissionCheckHandler = (handler: PermissionCheck) => void (this.#permissionCheck = handler);
  setDevicePermissionHandler = () => undefined;
  fetch = (address: string, options: RequestInit) => fetch(address, options);

  /** shell/browser/api/electron_api_web_request.cc */
  isBlocked = (url: string): Promise<boolean> =>
    new Promise((resolve) => {
      if (this.#beforeRequest === null) resolve(false);
      else this.#beforeRequest({ url }, ({ cancel }) => resolve(cancel === true));
    });

  /** Grants what the handlers grant, and denies all else: shell/browser/electron_permission_manager.cc. */
  async applyPermissions(contents: Electron.WebContents, context: BrowserContext): Promise<void> {
    const requestingUrl = contents.getURL();
    const granted = Object.entries(permissions).filter(([, { name, ...media }]) => {
      const details = { requestingUrl, isMainFrame: true, mediaTypes: Object.values(media), ...media } as never;
      let isGranted = this.#permissionRequest === null;
      this.#permissionRequest?.(contents, name as never, (isAllowed) => (isGranted = isAllowed), details);
      return isGranted && this.#permissionCheck?.(contents, name as never, requestingUrl, details) !== false;
    });
    const { origin } = new URL(pageAddress.inChromium);
    await context.grantPermissions(
      granted.map(([name]) => name),
      { origin },
    );
  }

  /** docs/api/download-item.md; without a path Electron asks for one, here the file is dropped. */
  async download(download: Download): Promise<void> {
    const item = { savePath: "", setSavePath: (file: string) => void (item.savePath = file) };
    this.emit("will-download", {}, item);
    if (item.savePath) await download.saveAs(item.savePath);
  }
}

export const defaultSession = new Session();
void (defaultSession satisfies Pick<Electron.Session, "setPermissionRequestHandler" | "setPermissionCheckHandler">);
export const session = { defaultSession, fromPartition: () => new Session() };
export const protocol = {
  registerSchemesAsPrivileged([{ scheme }]: [Electron.CustomScheme]): void {
    if (app.isReady()) throw new Error("protocol.registerSchemesAsPrivileged should be called before app is ready");
    pageAddress.inMain = `${scheme}://app/`;
  },
};

/** Headers that HTTP adds and a program's own scheme never has. */
const networkHeaders = /^(host|connection|content-length|transfer-encoding|accept-(encoding|language)|sec-fetch-.*)$/;

/**
 * Passes a request of the page to the scheme's handler. Its `Request` has the page's own method and headers, a stream
 * without a length as body, and no signal: lib/browser/api/protocol.ts.
 */
export async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const headers = Object.entries(incoming.headers).filter(([name]) => !networkHeaders.test(name));
    const hasBody = incoming.headers["transfer-encoding"] ?? incoming.headers["content-length"];
    const options = {
      method: incoming.method,
      headers: headers as [string, string][],
      body: hasBody ? Readable.toWeb(incoming) : null,
      duplex: "half",
    };
    const address = new URL(incoming.url ?? "", pageAddress.inMain);
    const response = await defaultSession.handler!(new Request(address, options as RequestInit));
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (!response.body) return void outgoing.end();
    const content = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    // A page that stops reading cancels the response's body.
    outgoing.once("close", () => content.destroy());
    content.once("error", () => outgoing.destroy()).pipe(outgoing);
  } catch (error) {
    console.error(error);
    outgoing.destroy();
  }
}
