import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type Electron from "electron";
import type { CDPSession } from "playwright-core";
import { app, isPrevented } from "./app.ts";
import type { Chromium } from "./chromium.ts";
import { makeCodec } from "./codec.ts";
import { Menu, type PressedKey } from "./desktop.ts";
import { changePage, makeBridge, runPreload } from "./page-worlds.ts";
import { defaultSession, toChromium, toMain } from "./session.ts";

type Paused = { requestId: string; networkId?: string; frameId: string; resourceType: string } & {
  request: { url: string };
  redirectedRequestId?: string;
};
type Called = {
  kind: "invoke" | "send" | "permission" | "key";
  id: number;
  channel: string;
  text: string;
} & PressedKey;

const codec = makeCodec();
const secret = `twin${Math.random().toString(36).slice(2)}`;
const world = "Electron Isolated Context";
/** Set once Chromium has started, before the application is ready. */
export const running: { chromium: Chromium | null } = { chromium: null };

const handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();
/** lib/browser/ipc-main-impl.ts */
export const ipcMain = {
  handle(channel: string, handler: (event: object, ...args: unknown[]) => unknown): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
};

class WebContents extends EventEmitter {
  readonly mainFrame = { url: "" };
  readonly ipc = new EventEmitter();
  readonly window: BrowserWindow;
  openHandler: Parameters<Electron.WebContents["setWindowOpenHandler"]>[0] | null = null;
  page: CDPSession | null = null;
  #isDestroyed = false;
  #ownLoads = 0;
  #context: number | null = null;
  #frameId = "";
  #isResponsive = true;
  #crashed: Promise<unknown> = Promise.resolve();
  #navigations = new Set<string>();
  constructor(window: BrowserWindow) {
    super();
    this.window = window;
  }
  isDestroyed = () => this.#isDestroyed;
  getURL = () => this.mainFrame.url;
  setWindowOpenHandler = (handler: typeof this.openHandler) => void (this.openHandler = handler);

  async start(preload: string | undefined, { width = 800, height = 600 }): Promise<void> {
    await app.whenReady();
    const { context } = running.chromium!;
    const shown = await context.newPage();
    await shown.setViewportSize({ width, height });
    const page = (this.page = await context.newCDPSession(shown));
    this.#frameId = (await page.send("Page.getFrameTree")).frameTree.frame.id;
    shown.on("close", () => this.destroy());
    // Playwright itself would answer what the page asks before it is left.
    shown.on("dialog", () => undefined);
    shown.on("popup", (popup) => {
      const details = { url: toMain(popup.url()), frameName: "", features: "", disposition: "foreground-tab" } as const;
      const referrer = { url: "", policy: "no-referrer" } as const;
      if (this.openHandler?.({ ...details, referrer }).action === "deny") void popup.close();
    });
    this.#listen(page);
    for (const domain of ["Page.enable", "Runtime.enable", "Network.enable"] as const) await page.send(domain);
    await page.send("Fetch.enable", { patterns: [{ resourceType: "Document" }, { urlPattern: "http://*" }] });
    await page.send("Runtime.addBinding", { name: `${secret}Post`, executionContextName: world });
    const run = `(require, process, module) => { const exports = module.exports; ${preload ? readFileSync(preload, "utf8") : ""}\n}`;
    const bridge = (side: string) => `(${String(makeBridge)})("${secret}", "${side}", ${String(makeCodec)})`;
    const inPreload = `(${String(runPreload)})(globalThis.${secret}Post, ${bridge("preload")}, (${String(makeCodec)})(), ${run}, "${process.platform}")`;
    for (const [source, worldName] of [[`(${String(changePage)})(${bridge("page")})`], [inPreload, world]])
      await page.send("Page.addScriptToEvaluateOnNewDocument", {
        source: `if (window === window.top && location.protocol === "https:") ${source}`,
        ...(worldName && { worldName }),
      });
    void this.#watchResponse(page);
  }

  /** Chromium waits as long for the response to an input: content/browser/renderer_host/render_widget_host_impl.cc. */
  async #watchResponse(page: CDPSession): Promise<void> {
    while (!this.#isDestroyed) {
      const late = setTimeout(() => this.#setResponsive(false), 5000).unref();
      await page.send("Runtime.evaluate", { expression: "0" }).catch(() => undefined);
      clearTimeout(late);
      this.#setResponsive(true);
      await delay(500, undefined, { ref: false });
    }
  }
  #setResponsive(isResponsive: boolean): void {
    if (isResponsive !== this.#isResponsive) this.emit(isResponsive ? "responsive" : "unresponsive", {});
    this.#isResponsive = isResponsive;
  }

  #listen(page: CDPSession): void {
    const isMain = (frameId: string) => frameId === this.#frameId;
    page.on("Fetch.requestPaused", (request) => void this.#decide(page, request as Paused).catch(this.#report));
    page.on("Page.frameStartedNavigating", ({ frameId, loaderId, url, navigationType }) => {
      this.#navigations.add(loaderId);
      const isSameDocument = navigationType === "sameDocument";
      this.emit("did-start-navigation", { url: toMain(url), isMainFrame: isMain(frameId), isSameDocument });
    });
    page.on("Page.frameNavigated", ({ frame }) => {
      if (isMain(frame.id)) this.mainFrame.url = toMain(frame.url);
    });
    page.on("Runtime.executionContextCreated", ({ context: { id, name, auxData } }) => {
      if (name === world && isMain((auxData as { frameId: string }).frameId)) this.#context = id;
    });
    page.on("Page.loadEventFired", () => {
      if (this.mainFrame.url === "about:blank") return;
      this.emit("did-finish-load", {});
      this.window.showFirst();
    });
    page.on(
      "Runtime.bindingCalled",
      ({ payload, executionContextId }) =>
        void this.#receive(JSON.parse(payload) as Called, executionContextId === this.#context).catch(this.#report),
    );
    // Electron emits it after the window's `close`: shell/browser/api/electron_api_web_contents.cc
    page.on("Page.javascriptDialogOpening", ({ type }) => {
      if (type !== "beforeunload") return;
      const accept = isPrevented(this, "will-prevent-unload");
      if (!accept) this.window.onCloseCancelled();
      void page.send("Page.handleJavaScriptDialog", { accept });
    });
    page.on("Inspector.targetCrashed", () =>
      this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 139 }),
    );
  }

  /** Navigation events by shell/browser/electron_navigation_throttle.cc; a link with `download` is no navigation. */
  async #decide(
    page: CDPSession,
    { requestId, request, networkId, frameId, redirectedRequestId, resourceType }: Paused,
  ) {
    const url = toMain(request.url);
    const isMainFrame = frameId === this.#frameId;
    const isAllowed = (name: string) => !isPrevented(this, name, { url, isMainFrame, isSameDocument: false }, url);
    let goesOn = true;
    if (resourceType === "Document" && this.#navigations.has(networkId ?? "")) {
      if (redirectedRequestId) goesOn = isAllowed("will-redirect");
      else if (isMainFrame && this.#ownLoads > 0) this.#ownLoads -= 1;
      else goesOn = isAllowed("will-frame-navigate") && (!isMainFrame || isAllowed("will-navigate"));
    }
    const errorReason = goesOn ? "BlockedByClient" : "Aborted";
    if (goesOn && !(await defaultSession.isBlocked(url))) await page.send("Fetch.continueRequest", { requestId });
    else await page.send("Fetch.failRequest", { requestId, errorReason });
  }

  async #receive(called: Called, isFromMainFrame: boolean): Promise<void> {
    const { kind, id, channel } = called;
    if (kind === "key") return Menu.press(called, this.window);
    if (kind === "send") return void this.ipc.emit(channel, {}, ...(codec.decode(called.text) as unknown[]));
    try {
      const answer = kind === "invoke" ? this.#invoke(called, isFromMainFrame) : this.#grant(called);
      await this.#deliver({ kind: "answer", id, text: codec.encode(await answer) });
    } catch (error) {
      const reason = `Error invoking remote method '${channel}': ${String(error)}`;
      await this.#deliver({ kind: "answer", id, error: reason });
    }
  }
  async #invoke({ channel, text }: Called, isFromMainFrame: boolean): Promise<unknown> {
    const senderFrame = isFromMainFrame ? this.mainFrame : { url: "about:blank" };
    const handler = handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return await handler({ sender: this, senderFrame }, ...(codec.decode(text) as unknown[]));
  }
  async #grant({ text }: Called): Promise<boolean> {
    const [kind, permission, of] = codec.decode(text) as ["request" | "check", never, object];
    const details = { requestingUrl: this.getURL(), isMainFrame: true, securityOrigin: this.getURL(), ...of } as never;
    return await defaultSession[kind](this as unknown as Electron.WebContents, permission, details);
  }
  send = (channel: string, ...args: unknown[]) =>
    void this.#deliver({ kind: "event", channel, text: codec.encode(args) });
  async #deliver(message: object): Promise<void> {
    if (this.#context === null) return;
    const expression = `twinDeliver(${JSON.stringify(message)})`;
    await this.page!.send("Runtime.evaluate", { contextId: this.#context, expression }).catch(this.#report);
  }
  /** Failed loads are no unhandled rejections: lib/browser/api/web-contents.ts. */
  loadURL(url: string): Promise<void> {
    const loaded = this.window.started.then(async () => {
      this.#ownLoads += 1;
      await this.page!.send("Page.navigate", { url: toChromium(url) });
    });
    loaded.catch(() => undefined);
    return loaded;
  }
  reload(): void {
    this.#ownLoads += 1;
    void this.#crashed.then(() => this.page!.send("Page.reload"));
  }
  /** Ends the page's process before a reload begins: docs/api/web-contents.md. */
  forcefullyCrashRenderer(): void {
    this.#crashed = new Promise((resolve) => this.page!.once("Inspector.targetCrashed", resolve));
    void this.page!.send("Page.crash").catch(() => undefined);
  }
  async executeJavaScript(expression: string): Promise<unknown> {
    const options = { expression, returnByValue: true, awaitPromise: true };
    return (await this.page!.send("Runtime.evaluate", options)).result.value;
  }
  async printToPDF({ printBackground = false, landscape = false }: Electron.PrintToPDFOptions = {}): Promise<Buffer> {
    const { data } = await this.page!.send("Page.printToPDF", { printBackground, landscape });
    return Buffer.from(data, "base64");
  }
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    void this.window.started.then(() => this.page?.send("Page.close")).catch(() => undefined);
    this.emit("destroyed", {});
    this.window.onDestroyed();
  }
  #report = (error: unknown) => {
    if (!this.#isDestroyed) console.error(error);
  };
}

/**
 * Closing as in shell/browser/api/electron_api_browser_window.cc: `close`, then the page's beforeunload, then both end.
 */
export class BrowserWindow extends EventEmitter {
  static readonly all = new Set<BrowserWindow>();
  static getAllWindows = () => [...BrowserWindow.all];
  static getFocusedWindow = () => BrowserWindow.getAllWindows().find((window) => window.isVisible()) ?? null;
  readonly webContents = new WebContents(this);
  readonly started: Promise<void>;
  #bounds: Electron.Rectangle;
  #isVisible = false;
  #isClosing = false;
  #isPainted = false;
  #state: "normal" | "maximized" | "minimized" = "normal";
  constructor({
    x = 40,
    y = 30,
    width = 800,
    height = 600,
    webPreferences,
    show = true,
  }: Electron.BrowserWindowConstructorOptions) {
    super();
    this.#bounds = { x, y, width, height };
    this.#isVisible = show;
    BrowserWindow.all.add(this);
    app.windows.add(this);
    app.emit("web-contents-created", {}, this.webContents);
    this.started = this.webContents.start(webPreferences?.preload, this.#bounds);
  }
  loadURL = (url: string) => this.webContents.loadURL(url);
  show = () => void (this.#isVisible = true);
  focus(): void {
    if (this.isDestroyed()) throw new TypeError("Object has been destroyed");
    this.emit("focus");
  }
  isVisible = () => this.#isVisible;
  isDestroyed = () => !BrowserWindow.all.has(this);
  maximize = () => void (this.#state = "maximized");
  minimize = () => void (this.#state = "minimized");
  restore = () => void (this.#state = "normal");
  isMaximized = () => this.#state === "maximized";
  isMinimized = () => this.#state === "minimized";
  setBounds = (bounds: Partial<Electron.Rectangle>) => void Object.assign(this.#bounds, bounds);
  getBounds = () => ({ ...this.#bounds });
  getNormalBounds = () => ({ ...this.#bounds });
  close(): void {
    if (this.#isClosing) return;
    if (isPrevented(this, "close")) return this.onCloseCancelled();
    this.#isClosing = true;
    void this.started.then(() => this.webContents.page!.send("Page.close"));
  }
  destroy = () => this.webContents.destroy();
  onCloseCancelled = () => void (this.#isClosing = app.isQuitting = false);
  showFirst(): void {
    if (!this.#isPainted) this.emit("ready-to-show");
    this.#isPainted = true;
  }
  onDestroyed(): void {
    BrowserWindow.all.delete(this);
    this.emit("closed");
    app.onWindowClosed(this);
  }
}
void ({} as BrowserWindow satisfies Pick<Electron.BrowserWindow, "loadURL" | "show" | "close" | "getNormalBounds">);
