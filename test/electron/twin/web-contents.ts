import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type Electron from "electron";
import type { CDPSession, Page } from "playwright-core";
import { app, isPrevented } from "./app.ts";
import type { BrowserWindow } from "./browser-window.ts";
import { running } from "./chromium.ts";
import { makeCodec } from "./codec.ts";
import { Menu, type PressedKey } from "./menu.ts";
import { changePage, makeBridge, runPreload } from "./page.ts";
import { defaultSession, pageAddress, toChromium, toMain } from "./session.ts";

type Called = PressedKey & { kind: "invoke" | "send" | "key"; id: number; channel: string; text: string };
type OpenHandler = (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse;
type Handler = (event: object, ...args: unknown[]) => unknown;

type Paused = {
  readonly requestId: string;
  readonly networkId?: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly redirectedRequestId?: string;
  readonly request: { readonly url: string };
};

const codec = makeCodec();
const secret = `twin${Math.random().toString(36).slice(2)}`;
const world = "Electron Isolated Context";

const handlers = new Map<string, Handler>();
/** lib/browser/ipc-main-impl.ts */
export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
};

/** Scripts that run before each document of the window: the preload, and what changes the page's own world. */
function scriptsOfWorlds(preload: string | undefined): readonly { source: string; worldName?: string }[] {
  const source = preload ? readFileSync(preload, "utf8") : "";
  const run = `(require, process, module) => { const exports = module.exports; ${source}\n}`;
  const bridge = (side: string) => `(${makeBridge})("${secret}", "${side}", ${makeCodec})`;
  const preloaded = `(${runPreload})(${secret}Post, ${bridge("preload")}, (${makeCodec})(), ${run}, "${process.platform}")`;
  const onPage = `if (window === window.top && location.href.startsWith("${pageAddress.inChromium}"))`;
  return [
    { source: `${onPage} (${changePage})(${bridge("page")})` },
    { source: `${onPage} ${preloaded}`, worldName: world },
  ];
}

export class WebContents extends EventEmitter {
  readonly mainFrame = { url: "" };
  readonly ipc = new EventEmitter();
  readonly #window: BrowserWindow;
  readonly #started: Promise<CDPSession>;
  #shown: Page | null = null;
  #openHandler: OpenHandler | null = null;
  #isDestroyed = false;
  #ownLoads = 0;
  #context: number | null = null;
  #frameId = "";
  #isResponsive = true;
  #crashed: Promise<unknown> = Promise.resolve();
  readonly #navigations = new Set<string>();
  constructor(window: BrowserWindow, preload: string | undefined, size: Electron.Size) {
    super();
    this.#window = window;
    this.#started = this.#start(preload, size);
    this.#started.catch(this.#report);
  }
  isDestroyed = () => this.#isDestroyed;
  getURL = () => this.mainFrame.url;
  setWindowOpenHandler = (handler: OpenHandler) => void (this.#openHandler = handler);

  async #start(preload: string | undefined, { width, height }: Electron.Size): Promise<CDPSession> {
    await app.whenReady();
    const { context } = running;
    const shown = (this.#shown = await context!.newPage());
    await shown.setViewportSize({ width, height });
    const page = await context!.newCDPSession(shown);
    this.#frameId = (await page.send("Page.getFrameTree")).frameTree.frame.id;
    this.#listenToPage(shown);
    this.#listenToProtocol(page);
    for (const domain of ["Page.enable", "Runtime.enable", "Fetch.enable"] as const) await page.send(domain);
    await page.send("Runtime.addBinding", { name: `${secret}Post`, executionContextName: world });
    for (const script of scriptsOfWorlds(preload)) await page.send("Page.addScriptToEvaluateOnNewDocument", script);
    void this.#watchResponse(page);
    return page;
  }

  #listenToPage(shown: Page): void {
    shown.on("close", () => this.destroy());
    shown.on("download", (download) => void defaultSession.download(download));
    // Electron emits it after the window's `close`: shell/browser/api/electron_api_web_contents.cc
    shown.on("dialog", (dialog) => {
      const isLeft = isPrevented(this, "will-prevent-unload");
      if (!isLeft) this.#window.onCloseCancelled();
      void (isLeft ? dialog.accept() : dialog.dismiss());
    });
    // lib/browser/guest-window-manager.ts
    shown.on("popup", (popup) => {
      const details = { url: toMain(popup.url()), frameName: "", features: "", disposition: "foreground-tab" };
      if (this.#openHandler?.(details as Electron.HandlerDetails).action === "deny") void popup.close();
    });
  }

  #listenToProtocol(page: CDPSession): void {
    page.on("Fetch.requestPaused", (request) => void this.#decide(page, request).catch(this.#report));
    page.on("Page.frameStartedNavigating", ({ frameId, loaderId, url, navigationType }) => {
      this.#navigations.add(loaderId);
      const isSameDocument = navigationType === "sameDocument";
      this.emit("did-start-navigation", { url: toMain(url), isMainFrame: frameId === this.#frameId, isSameDocument });
    });
    page.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id === this.#frameId) this.mainFrame.url = toMain(frame.url);
    });
    page.on("Page.loadEventFired", () => {
      this.emit("did-finish-load", {});
      this.#window.onLoaded();
    });
    page.on("Runtime.executionContextCreated", ({ context: { id, name, auxData } }) => {
      if (name === world && (auxData as { frameId: string }).frameId === this.#frameId) this.#context = id;
    });
    page.on("Runtime.bindingCalled", ({ payload, executionContextId }) => {
      const isFromMainFrame = executionContextId === this.#context;
      void this.#receive(JSON.parse(payload) as Called, isFromMainFrame).catch(this.#report);
    });
    page.on("Inspector.targetCrashed", () =>
      this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 139 }),
    );
  }

  /** Chromium waits as long for the response to an input: content/browser/renderer_host/render_widget_host_impl.cc. */
  async #watchResponse(page: CDPSession): Promise<void> {
    const setResponsive = (isResponsive: boolean) => {
      if (isResponsive !== this.#isResponsive) this.emit(isResponsive ? "responsive" : "unresponsive", {});
      this.#isResponsive = isResponsive;
    };
    while (!this.#isDestroyed) {
      const late = setTimeout(setResponsive, 5000, false).unref();
      await page.send("Runtime.evaluate", { expression: "0" }).catch(() => undefined);
      clearTimeout(late);
      setResponsive(true);
      await delay(500, undefined, { ref: false });
    }
  }

  /** Navigation events by shell/browser/electron_navigation_throttle.cc; a link with `download` is no navigation. */
  async #decide(page: CDPSession, paused: Paused) {
    const { requestId, networkId = "", redirectedRequestId } = paused;
    const url = toMain(paused.request.url);
    const isMainFrame = paused.frameId === this.#frameId;
    const isAllowed = (name: string) => !isPrevented(this, name, { url, isMainFrame, isSameDocument: false }, url);
    let isNavigated = true;
    if (paused.resourceType === "Document" && this.#navigations.has(networkId)) {
      if (redirectedRequestId) isNavigated = isAllowed("will-redirect");
      else if (isMainFrame && this.#ownLoads > 0) this.#ownLoads -= 1;
      else isNavigated = isAllowed("will-frame-navigate") && (!isMainFrame || isAllowed("will-navigate"));
    }
    if (!isNavigated) await page.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    else if (!(await defaultSession.isBlocked(url))) await page.send("Fetch.continueRequest", { requestId });
    else await page.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  }

  async #receive(called: Called, isFromMainFrame: boolean): Promise<void> {
    const { kind, id, channel, text } = called;
    if (kind === "key") return Menu.press(called, this.#window);
    const args = codec.decode(text) as unknown[];
    if (kind === "send") return void this.ipc.emit(channel, {}, ...args);
    try {
      const handler = handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      const senderFrame = isFromMainFrame ? this.mainFrame : null;
      const value = await handler({ sender: this, senderFrame }, ...args);
      await this.#deliver({ kind: "answer", id, text: codec.encode(value) });
    } catch (error) {
      const reason = `Error invoking remote method '${channel}': ${String(error)}`;
      await this.#deliver({ kind: "answer", id, error: reason });
    }
  }
  send = (channel: string, ...args: unknown[]) =>
    void this.#deliver({ kind: "event", channel, text: codec.encode(args) });
  async #deliver(message: object): Promise<void> {
    if (this.#context === null) return;
    const expression = `twinDeliver(${JSON.stringify(message)})`;
    const page = await this.#started;
    await page.send("Runtime.evaluate", { contextId: this.#context, expression }).catch(this.#report);
  }

  /** Failed loads are no unhandled rejections: lib/browser/api/web-contents.ts. */
  loadURL(url: string): Promise<void> {
    const load = async () => {
      const page = await this.#started;
      this.mainFrame.url = url;
      await defaultSession.applyPermissions(this as unknown as Electron.WebContents, running.context!);
      this.#ownLoads += 1;
      await page.send("Page.navigate", { url: toChromium(url) });
    };
    const loaded = load();
    loaded.catch(() => undefined);
    return loaded;
  }
  reload(): void {
    this.#ownLoads += 1;
    void Promise.all([this.#started, this.#crashed]).then(([page]) => page.send("Page.reload"));
  }
  /** Ends the page's process before a reload begins: docs/api/web-contents.md. */
  forcefullyCrashRenderer(): void {
    this.#crashed = new Promise((resolve) => this.once("render-process-gone", resolve));
    void this.#started.then((page) => page.send("Page.crash")).catch(() => undefined);
  }
  async executeJavaScript(expression: string): Promise<unknown> {
    const page = await this.#started;
    return (await page.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true })).result.value;
  }
  printToPDF = async (options: Pick<Electron.PrintToPDFOptions, "printBackground" | "landscape">): Promise<Buffer> =>
    await this.#shown!.pdf(options);

  /** Runs the page's `beforeunload` first. Playwright itself closes no page that has crashed before. */
  close = () => void this.#started.then((page) => page.send("Page.close")).catch(this.#report);
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.close();
    this.emit("destroyed", {});
    this.#window.onDestroyed();
  }
  #report = (error: unknown) => {
    if (!this.#isDestroyed) console.error(error);
  };
}
