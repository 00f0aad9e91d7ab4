import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type Electron from "electron";
import { app, isPrevented, type PartOf } from "./app.ts";
import { Menu } from "./desktop.ts";
import { WebContents } from "./web-contents.ts";

/** Closing as in shell/browser/api/electron_api_browser_window.cc. */
export class BrowserWindow extends EventEmitter implements PartOf<Electron.BrowserWindow, "webContents"> {
  static getAllWindows = () => [...app.windows] as BrowserWindow[];
  readonly webContents: WebContents;
  readonly #bounds: Electron.Rectangle;
  #isVisible: boolean;
  #isClosing = false;
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    const { x = 40, y = 30, width = 800, height = 600, webPreferences, show = true } = options;
    this.#bounds = { x, y, width, height };
    this.#isVisible = show;
    app.windows.add(this);
    this.webContents = new WebContents(this.#bounds, webPreferences?.preload);
    this.webContents.once("did-finish-load", () => this.emit("ready-to-show"));
    this.webContents.on("twin-stayed", () => (this.#isClosing = app.isQuitting = false));
    this.webContents.ipc.on("twin-keys", (_event, keys) => Menu.press(keys, this));
    this.webContents.once("destroyed", () => {
      app.windows.delete(this);
      app.onWindowClosed();
      this.emit("closed");
    });
    app.emit("web-contents-created", {}, this.webContents);
  }
  loadURL = (url: string) => this.webContents.loadURL(url);
  show = () => void (this.#isVisible = true);
  focus = () => assert(!this.isDestroyed(), "Object has been destroyed");
  isVisible = () => this.#isVisible;
  isDestroyed = () => !app.windows.has(this);
  isMaximized = () => false;
  isMinimized = () => false;
  setBounds = (bounds: Partial<Electron.Rectangle>) => void Object.assign(this.#bounds, bounds);
  getNormalBounds = () => ({ ...this.#bounds });
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = !isPrevented(this, "close");
    if (this.#isClosing) this.webContents.close();
    else app.isQuitting = false;
  }
  destroy = () => this.webContents.destroy();
}
