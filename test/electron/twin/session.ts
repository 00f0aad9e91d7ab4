import { EventEmitter } from "node:events";
import { renameSync } from "node:fs";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import path from "node:path";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import type Electron from "electron";
import type { CDPSession } from "playwright-core";
import { app } from "./app.ts";
import { pageHost } from "./chromium.ts";

type Handler = Parameters<Electron.Protocol["handle"]>[1];
type PermissionRequest = Parameters<Electron.Session["setPermissionRequestHandler"]>[0];
type PermissionCheck = Parameters<Electron.Session["setPermissionCheckHandler"]>[0];
type BeforeRequest = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void;

let scheme = "";
/** Addresses as the main process sees them, and as Chromium does. */
export const toChromium = (url: string) => url.replace(new RegExp(`^${scheme}://app(?=/|$)`), `https://${pageHost}`);
export const toMain = (url: string) => url.replace(`https://${pageHost}`, `${scheme}://app`);

class Session extends EventEmitter {
  readonly handlers = new Map<string, Handler>();
  beforeRequest: BeforeRequest | null = null;
  #permissionRequest: PermissionRequest = null;
  #permissionCheck: PermissionCheck = null;
  readonly protocol = { handle: (name: string, handler: Handler) => void this.handlers.set(name, handler) };
  readonly webRequest = { onBeforeRequest: (listener: BeforeRequest) => void (this.beforeRequest = listener) };
  setPermissionRequestHandler = (handler: PermissionRequest) => void (this.#permissionRequest = handler);
  setPermissionCheckHandler = (handler: PermissionCheck) => void (this.#permissionCheck = handler);
  setDevicePermissionHandler = () => undefined;
  fetch = (address: string, options: RequestInit) => fetch(address, options);

  /** Everything is granted without a handler: shell/browser/electron_permission_manager.cc. */
  request = (contents: Electron.WebContents, permission: never, details: never): Promise<boolean> =>
    new Promise((resolve) => {
      if (this.#permissionRequest === null) resolve(true);
      else this.#permissionRequest(contents, permission, resolve, details);
    });
  check = (contents: Electron.WebContents, permission: never, details: never): boolean =>
    this.#permissionCheck?.(contents, permission, toMain(`https://${pageHost}/`), details) ?? true;

  /** shell/browser/api/electron_api_web_request.cc */
  async isBlocked(url: string): Promise<boolean> {
    if (this.beforeRequest === null) return false;
    return (
      (await new Promise<{ cancel?: boolean }>((resolve) => this.beforeRequest!({ url }, resolve))).cancel === true
    );
  }
}

export const defaultSession = new Session();
void (defaultSession satisfies Pick<Electron.Session, "setPermissionRequestHandler">);
export const session = { defaultSession, fromPartition: () => new Session() };
export const protocol = {
  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    if (app.isReady()) throw new Error("protocol.registerSchemesAsPrivileged should be called before app is ready");
    scheme = schemes[0]!.scheme;
  },
};

/** docs/api/download-item.md; without a path Electron asks for one, here the file is dropped. */
class DownloadItem {
  savePath = "";
  setSavePath = (file: string) => void (this.savePath = file);
}

/** shell/browser/electron_download_manager_delegate.cc */
export async function offerDownloads(browser: CDPSession): Promise<void> {
  const downloadPath = path.join(app.getPath("userData"), "twin-downloads");
  const items = new Map<string, DownloadItem>();
  browser.on("Browser.downloadWillBegin", ({ guid }) => {
    items.set(guid, new DownloadItem());
    defaultSession.emit("will-download", {}, items.get(guid));
  });
  browser.on("Browser.downloadProgress", ({ guid, state }) => {
    const savePath = items.get(guid)?.savePath;
    if (savePath && state === "completed") renameSync(path.join(downloadPath, guid), savePath);
  });
  await browser.send("Browser.setDownloadBehavior", { behavior: "allowAndName", downloadPath, eventsEnabled: true });
}

/** Headers that the network adds and a page's own scheme never has. */
const networkHeaders =
  /^(:.*|host|content-length|accept-(encoding|language)|cookie|sec-fetch-.*|priority|pragma|cache-control|te|dnt)$/;

/**
 * Passes a request of the page to the scheme's handler. Its `Request` has no signal, and its body neither a length nor
 * a type beyond what the page set: lib/browser/api/protocol.ts.
 */
export async function respond(incoming: Http2ServerRequest, outgoing: Http2ServerResponse): Promise<void> {
  const url = toMain(`https://${incoming.authority}${incoming.url}`);
  const handler = defaultSession.handlers.get(scheme);
  if (incoming.authority !== pageHost || !handler || (await defaultSession.isBlocked(url)))
    return incoming.stream.close(8);
  try {
    const headers = Object.entries(incoming.headers).filter(([name]) => !networkHeaders.test(name));
    const body = ["GET", "HEAD"].includes(incoming.method) ? null : Readable.toWeb(incoming);
    const response = await handler(
      new Request(url, {
        method: incoming.method,
        headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
        body: body as BodyInit | null,
        duplex: "half",
      } as RequestInit),
    );
    const responseHeaders = [...response.headers].filter(([name]) => !/^(connection|transfer-encoding)$/.test(name));
    outgoing.writeHead(response.status, Object.fromEntries(responseHeaders));
    if (!response.body) return void outgoing.end();
    const content = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    // A page that stops reading cancels the response's body.
    outgoing.stream.once("close", () => content.destroy());
    content.once("error", () => incoming.stream.close(2)).pipe(outgoing);
  } catch (error) {
    console.error(error);
    incoming.stream.close(2);
  }
}

/** The question of a page whether it may open a window, see `changePage`. */
export async function readOpenRequest(incoming: Http2ServerRequest): Promise<Electron.HandlerDetails> {
  const details = (await json(incoming)) as Electron.HandlerDetails;
  return { ...details, url: toMain(details.url) };
}
