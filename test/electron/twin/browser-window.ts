import { EventEmitter } from "node:events";
import type Electron from "electron";
import { app, isPrevented } from "./app.ts";
import { WebContents } from "./web-contents.ts";

/**
 * Closing as in shell/browser/api/electron_api_browser_window.cc: `close`, then the page's beforeunload, then both end.
 */
export class BrowserWindow extends EventEmitter {
  static getAllWindows = () => [...app.windows] as BrowserWindow[];
  readonly webContents: WebContents;
  #bounds: Electron.Rectangle;
  #isVisible: boolean;
  #isClosing = false;
  #isPainted = false;
  #state: "normal" | "maximized" | "minimized" = "normal";
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    const { x = 40, y = 30, width = 800, height = 600, webPreferences, show = true } = options;
    this.#bounds = { x, y, width, height };
    this.#isVisible = show;
    app.windows.add(this);
    this.webContents = new WebContents(this, webPreferences?.preload);
    app.emit("web-contents-created", {}, this.webContents);
  }
  loadURL = (url: string) => this.webContents.loadURL(url);
  show = () => void (this.#isVisible = true);
  focus(): void {
    if (this.isDestroyed()) throw new TypeError("Object has been destroyed");
    this.emit("focus");
  }
  isVisible = () => this.#isVisible;
  isDestroyed = () => !app.windows.has(this);
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
    this.webContents.close();
  }
  destroy = () => this.webContents.destroy();
  onCloseCancelled = () => void (this.#isClosing = app.isQuitting = false);
  onLoaded(): void {
    if (!this.#isPainted) this.emit("ready-to-show");
    this.#isPainted = true;
  }
  onDestroyed(): void {
    app.onWindowClosed(this);
    this.emit("closed");
  }
}
void ({} as BrowserWindow satisfies Pick<Electron.BrowserWindow, "loadURL" | "show" | "close" | "getNormalBounds">);
