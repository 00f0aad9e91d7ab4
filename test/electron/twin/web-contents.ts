import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type Electron from "electron";
import type { CDPSession, Page, Route } from "playwright-core";
import { app, isPrevented } from "./app.ts";
import type { BrowserWindow } from "./browser-window.ts";
import { running } from "./chromium.ts";
import { Menu, type PressedKey } from "./menu.ts";
import { changePage, makeBridge, runPreload } from "./page.ts";
import { defaultSession, pageAddress, toChromium, toMain } from "./session.ts";

type OpenHandler = (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse;
type Handler = (event: object, ...args: unknown[]) => unknown;
type Shown = { readonly page: Page; readonly protocol: CDPSession };

const secret = `twin${Math.random().toString(36).slice(2)}`;

const handlers = new Map<string, Handler>();
/** lib/browser/ipc-main-impl.ts */
export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
};

/** Scripts that run before each document of the window: what changes the page's own world, and the preload. */
function scriptsOfWorlds(preload: string | undefined): { readonly ofPage: string; readonly ofPreload: string } {
  const source = preload ? readFileSync(preload, "utf8") : "";
  const run = `(require, process, module) => { const exports = module.exports; ${source}\n}`;
  const bridge = (side: string) => `(${makeBridge})("${secret}", "${side}")`;
  const onPage = `if (window === window.top && location.href.startsWith("${pageAddress.inChromium}"))`;
  return {
    ofPage: `{ const post = window.${secret}; delete window.${secret}; ${onPage} (${changePage})(${bridge("page")}, post) }`,
    ofPreload: `${onPage} (${runPreload})("${secret}", ${bridge("preload")}, ${run}, "${process.platform}")`,
  };
}

export class WebContents extends EventEmitter {
  readonly mainFrame = { url: "" };
  readonly ipc = new EventEmitter();
  readonly #window: BrowserWindow;
  readonly #preload: string | undefined;
  #shown: Promise<Shown>;
  #openHandler: OpenHandler | null = null;
  #isDestroyed = false;
  #isOwnLoad = false;
  #isResponsive = true;
  constructor(window: BrowserWindow, preload: string | undefined) {
    super();
    this.#window = window;
    this.#preload = preload;
    this.#shown = this.#open();
  }
  isDestroyed = () => this.#isDestroyed;
  getURL = () => this.mainFrame.url;
  setWindowOpenHandler = (handler: OpenHandler) => void (this.#openHandler = handler);

  async #open(): Promise<Shown> {
    await app.whenReady();
    const page = await running.context!.newPage();
    const protocol = await running.context!.newCDPSession(page);
    const { width, height } = this.#window.getBounds();
    await page.setViewportSize({ width, height });
    const { ofPage, ofPreload } = scriptsOfWorlds(this.#preload);
    await page.exposeBinding(secret, ({ frame }, kind: string, channel: string, args: unknown[]) =>
      this.#receive(frame === page.mainFrame(), kind, channel, args),
    );
    await page.addInitScript(ofPage);
    await protocol.send("Page.enable");
    const worldName = "Electron Isolated Context";
    await protocol.send("Page.addScriptToEvaluateOnNewDocument", { source: ofPreload, worldName });
    await page.route("**", (route) => this.#decide(route));
    const shown = { page, protocol };
    this.#listenTo(shown);
    void this.#watchResponse(page);
    return shown;
  }

  #listenTo({ page }: Shown): void {
    page.on("close", () => void this.#shown.then((shown) => shown.page === page && this.destroy()));
    page.on("download", (download) => void defaultSession.download(download));
    // Electron emits it after the window's `close`: shell/browser/api/electron_api_web_contents.cc
    page.on("dialog", (dialog) => {
      const isLeft = isPrevented(this, "will-prevent-unload");
      if (!isLeft) this.#window.onCloseCancelled();
      void (isLeft ? dialog.accept() : dialog.dismiss());
    });
    // lib/browser/guest-window-manager.ts
    page.on("popup", (popup) => {
      const details = { url: toMain(popup.url()), frameName: "", features: "", disposition: "foreground-tab" };
      if (this.#openHandler?.(details as Electron.HandlerDetails).action === "deny") void popup.close();
    });
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.mainFrame.url = toMain(frame.url());
    });
    page.on("load", () => {
      this.emit("did-finish-load", {});
      this.#window.onLoaded();
    });
    page.on("crash", () => this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 139 }));
  }

  /** Chromium waits as long for the response to an input: content/browser/renderer_host/render_widget_host_impl.cc. */
  async #watchResponse(page: Page): Promise<void> {
    const setResponsive = (isResponsive: boolean) => {
      if (isResponsive !== this.#isResponsive) this.emit(isResponsive ? "responsive" : "unresponsive", {});
      this.#isResponsive = isResponsive;
    };
    while (!page.isClosed()) {
      const late = setTimeout(setResponsive, 5000, false).unref();
      await page.evaluate("0").catch(() => undefined);
      clearTimeout(late);
      setResponsive(true);
      await delay(500, undefined, { ref: false });
    }
  }

  /** Navigation events by shell/browser/electron_navigation_throttle.cc; a link with `download` is no navigation. */
  async #decide(route: Route): Promise<void> {
    const request = route.request();
    const url = toMain(request.url());
    if (request.isNavigationRequest()) {
      const navigation = { url, isMainFrame: request.frame().parentFrame() === null, isSameDocument: false };
      const isOwn = navigation.isMainFrame && this.#isOwnLoad;
      if (isOwn) this.#isOwnLoad = false;
      const names = navigation.isMainFrame ? ["will-frame-navigate", "will-navigate"] : ["will-frame-navigate"];
      if (!isOwn && names.some((name) => isPrevented(this, name, navigation, url))) return await route.abort("aborted");
      this.emit("did-start-navigation", navigation);
    }
    await ((await defaultSession.isBlocked(url)) ? route.abort("blockedbyclient") : route.continue());
  }

  async #receive(isFromMainFrame: boolean, kind: string, channel: string, args: unknown[]): Promise<unknown> {
    if (kind === "key") return Menu.press(args[0] as PressedKey, this.#window);
    if (kind === "send") return void this.ipc.emit(channel, {}, ...args);
    try {
      const handler = handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      const senderFrame = isFromMainFrame ? this.mainFrame : null;
      return structuredClone(await handler({ sender: this, senderFrame }, ...args));
    } catch (error) {
      throw new Error(`Error invoking remote method '${channel}': ${String(error)}`, { cause: error });
    }
  }
  send(channel: string, ...args: unknown[]): void {
    const sent = [`${secret}-event`, structuredClone([channel, args])] as const;
    const deliver = ([name, detail]: typeof sent) => void document.dispatchEvent(new CustomEvent(name, { detail }));
    void this.#shown.then(({ page }) => page.evaluate(deliver, sent)).catch(this.#report);
  }

  /** Failed loads are no unhandled rejections: lib/browser/api/web-contents.ts. */
  loadURL(url: string): Promise<void> {
    const load = async () => {
      const { page } = await this.#shown;
      this.mainFrame.url = url;
      await defaultSession.applyPermissions(this as unknown as Electron.WebContents, running.context!);
      this.#isOwnLoad = true;
      await page.goto(toChromium(url));
    };
    const loaded = load();
    loaded.catch(this.#report);
    return loaded;
  }
  /** In a process of its own, because Playwright controls no page that has crashed before. */
  reload(): void {
    const before = this.#shown;
    this.#shown = this.#open();
    void before.then(({ protocol }) => protocol.send("Page.close")).catch(this.#report);
    void this.loadURL(this.mainFrame.url);
  }
  forcefullyCrashRenderer = () =>
    void this.#shown.then(({ protocol }) => protocol.send("Page.crash")).catch(() => undefined);
  executeJavaScript = async (expression: string): Promise<unknown> =>
    await (await this.#shown).page.evaluate(expression);
  printToPDF = async (options: Pick<Electron.PrintToPDFOptions, "printBackground" | "landscape">): Promise<Buffer> =>
    await (await this.#shown).page.pdf(options);

  /** Runs the page's `beforeunload` first. */
  close = () => void this.#shown.then(({ protocol }) => protocol.send("Page.close")).catch(this.#report);
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
