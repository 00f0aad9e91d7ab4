import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type Electron from "electron";
import type { Page, Route } from "playwright-core";
import { app, isPrevented, type PartOf } from "./app.ts";
import { joinWorlds, runPage, runPreload } from "./page.ts";
import { context, defaultSession, pageAddress, toChromium, toMain } from "./session.ts";

type OpenHandler = Parameters<Electron.WebContents["setWindowOpenHandler"]>[0];
type Handler = (event: object, ...args: unknown[]) => unknown;
type Options = { readonly bounds: Electron.Rectangle; readonly preload: string | undefined };
type Message = [kind: "invoke" | "send", channel: string, args: unknown[]];

const handlers = new Map<string, Handler>();
/** lib/browser/ipc-main-impl.ts */
export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
};

/** Chromium's time limit for responses to input [ms]: content/browser/renderer_host/render_widget_host_impl.cc. */
const responseLimitMs = 5000;

const secret = `twin${randomBytes(8).toString("hex")}`;

/** Script that runs a function of page.ts in each document of the page. */
const scriptOf = (run: (secret: string, ...args: never[]) => void, ...args: string[]): string => `
  if (window === top && location.href.startsWith("${pageAddress.inChromium}")) {
    ${joinWorlds}
    (${run})(${[JSON.stringify(secret), ...args].join()});
  }`;

export class WebContents extends EventEmitter implements PartOf<Electron.WebContents, "ipc" | "mainFrame"> {
  readonly mainFrame = { url: "" };
  readonly ipc = new EventEmitter();
  /** Time limit for the next response to input, which a test shortens once the page hangs [ms]. */
  nextResponseLimitMs = responseLimitMs;
  readonly #options: Options;
  #page: Promise<Page>;
  #openHandler: OpenHandler | null = null;
  #isDestroyed = false;
  #isOwnLoad = false;
  /** Pending until Chromium has closed the last dialog; meanwhile it ignores another request to close the page. */
  #dialogClosed: Promise<void> = Promise.resolve();
  constructor(options: Options) {
    super();
    this.#options = options;
    this.#page = this.#open();
  }
  isDestroyed = () => this.#isDestroyed;
  getURL = () => this.mainFrame.url;
  setWindowOpenHandler = (handler: OpenHandler) => void (this.#openHandler = handler);

  async #open(): Promise<Page> {
    await app.whenReady();
    const page = await context.newPage();
    await page.setViewportSize(this.#options.bounds);
    await page.exposeBinding(secret, ({ frame }, ...sent: Message) =>
      this.#receive(frame === page.mainFrame(), ...sent),
    );
    await page.addInitScript(scriptOf(runPage));
    const protocol = await context.newCDPSession(page);
    await protocol.send("Page.enable");
    const preload = this.#options.preload ? readFileSync(this.#options.preload, "utf8") : "";
    const run = `(require, process, exports) => { ${preload}\n}`;
    const source = scriptOf(runPreload, JSON.stringify(process.platform), run);
    const worldName = "Electron Isolated Context";
    await protocol.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName });
    await page.route("**", (route) => this.#decide(route));
    this.#listenTo(page);
    void this.#watchResponse(page);
    return page;
  }

  #listenTo(page: Page): void {
    page.on("close", () => void this.#page.then((shown) => shown === page && this.destroy()));
    page.on("download", (download) => void defaultSession.download(download));
    // Electron emits will-prevent-unload after the window's `close`: shell/browser/api/electron_api_web_contents.cc
    page.on("dialog", (dialog) => {
      const isLeft = isPrevented(this, "will-prevent-unload");
      if (!isLeft) this.emit("twin-stayed");
      this.#dialogClosed = isLeft ? dialog.accept() : dialog.dismiss();
    });
    // lib/browser/guest-window-manager.ts
    page.on("popup", (popup) => {
      const details = { url: toMain(popup.url()), disposition: "foreground-tab" } as Electron.HandlerDetails;
      if (this.#openHandler?.(details).action === "deny") void popup.close();
    });
    page.on("framenavigated", () => (this.mainFrame.url = toMain(page.url())));
    page.on("load", () => this.emit("did-finish-load", {}));
    page.on("crash", () => this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 139 }));
  }

  async #watchResponse(page: Page): Promise<void> {
    while (!page.isClosed()) {
      const response = page.evaluate("0").catch(() => undefined);
      const first = await Promise.race([response, delay(this.nextResponseLimitMs, "late", { ref: false })]);
      const isLate = first === "late" && this.emit("unresponsive", {});
      if (isLate) this.nextResponseLimitMs = responseLimitMs;
      await response;
      if (isLate) this.emit("responsive", {});
      await delay(500, undefined, { ref: false });
    }
  }

  /** Navigation events as in shell/browser/electron_navigation_throttle.cc; a download link is not a navigation. */
  async #decide(route: Route): Promise<void> {
    const request = route.request();
    const url = toMain(request.url());
    if (request.isNavigationRequest()) {
      const isMainFrame = request.frame().parentFrame() === null;
      const navigation = { url, isMainFrame, isSameDocument: false };
      const names = isMainFrame ? ["will-frame-navigate", "will-navigate"] : ["will-frame-navigate"];
      this.emit("did-start-navigation", navigation);
      if (isMainFrame && this.#isOwnLoad) this.#isOwnLoad = false;
      else if (names.some((name) => isPrevented(this, name, navigation))) return await route.abort("aborted");
    }
    let isBlocked = false;
    // shell/browser/api/electron_api_web_request.cc
    defaultSession.beforeRequest?.({ url }, ({ cancel = false }) => (isBlocked = cancel));
    await (isBlocked ? route.abort("blockedbyclient") : route.continue());
  }

  async #receive(isMainFrame: boolean, ...[kind, channel, args]: Message): Promise<unknown> {
    if (kind === "send") return void this.ipc.emit(channel, {}, ...args);
    const handler = handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const senderFrame = isMainFrame ? this.mainFrame : null;
    return structuredClone(await handler({ sender: this, senderFrame }, ...args));
  }
  send(...sent: [channel: string, ...args: unknown[]]): void {
    const dispatch = ([name, detail]: readonly unknown[]) =>
      void document.dispatchEvent(new CustomEvent(String(name), { detail }));
    void this.#onPage((page) => page.evaluate(dispatch, [`${secret}-event`, structuredClone(sent)]));
  }

  /** A failed load is not an unhandled rejection: lib/browser/api/web-contents.ts. */
  loadURL(url: string): Promise<void> {
    this.mainFrame.url = url;
    return this.#onPage(async (page) => {
      await defaultSession.applyPermissions(this as unknown as Electron.WebContents);
      this.#isOwnLoad = true;
      await page.goto(toChromium(url));
    });
  }
  /** Uses a new process, because Playwright cannot control a crashed page. */
  reload(): void {
    void this.#page.then((page) => page.close());
    this.#page = this.#open();
    void this.loadURL(this.mainFrame.url);
  }
  forcefullyCrashRenderer = () =>
    void this.#onPage(async (page) => (await context.newCDPSession(page)).send("Page.crash"));
  executeJavaScript = async (expression: string): Promise<unknown> => (await this.#page).evaluate(expression);
  printToPDF = async (options: object): Promise<Buffer> => (await this.#page).pdf(options);

  /** Runs the page's `beforeunload` first. */
  close = () =>
    void this.#onPage(async (page) => {
      await this.#dialogClosed;
      await page.close({ runBeforeUnload: true });
    });
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    void this.#page.then((page) => page.close());
    this.emit("destroyed", {});
  }
  /** Runs `act` once the page is open and reports a failure unless the page is destroyed. */
  #onPage<Result>(act: (page: Page) => Promise<Result>): Promise<Result> {
    const result = this.#page.then(act);
    result.catch((error: unknown) => this.#isDestroyed || console.error(error));
    return result;
  }
}
