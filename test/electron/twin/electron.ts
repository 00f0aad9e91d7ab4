import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import type Electron from "electron";
import { app, isPrevented, type PartOf } from "./app.ts";
import { ipcMain, WebContents } from "./web-contents.ts";

export { app, ipcMain };
export * as net from "node:http";
export { protocol, session } from "./session.ts";

/** Tests replace dialogs (watched-desktop.ts); without a test, an error is printed. */
export const dialog = { showErrorBox: console.error };
export const shell = {};

/** Encryption with a key ring, or plain text without one: docs/api/safe-storage.md. */
const keyRing = process.env["TWIN_KEY_RING"] ?? "basic_text";
export const safeStorage = {
  isEncryptionAvailable: () => keyRing !== "basic_text",
  getSelectedStorageBackend: () => keyRing,
  encryptString: (text: string) => Buffer.from(`v11${Buffer.from(text).toString("base64")}`),
  decryptString: (sealed: Buffer) => Buffer.from(sealed.toString().slice(3), "base64").toString(),
};

export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };
export const powerMonitor = new EventEmitter();
export const autoUpdater = new EventEmitter();

export class Tray extends EventEmitter {
  static readonly all: Tray[] = [];
  readonly image: string;
  constructor(image: string) {
    super();
    if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`);
    this.image = image;
    // Only the first is certain to have an icon: shell/browser/ui/tray_icon_linux.cc
    if (Tray.all.push(this) > 1 && process.platform === "linux") throw new Error("a second Tray may not appear");
  }
  setToolTip = () => undefined;
  setContextMenu = () => undefined;
}

type Template = Electron.MenuItemConstructorOptions;
type Menu = { readonly items: readonly MenuItem[] };
type MenuItem = { readonly label: string; readonly keys?: string; readonly submenu?: Menu; click(): void };

const itemOf = ({ role, label = role ?? "", accelerator, enabled = true, submenu, click }: Template): MenuItem => ({
  label,
  click: () => enabled && click?.({} as never, undefined, {}),
  ...(accelerator && { keys: keysOf(accelerator) }),
  ...(Array.isArray(submenu) && { submenu: Menu.buildFromTemplate(submenu) }),
});

/** Names of keys in alphabetical order: docs/api/accelerator.md */
function keysOf(accelerator: string): string {
  const command = process.platform === "darwin" ? "cmd" : "ctrl";
  return accelerator.toLowerCase().replace("cmdorctrl", command).split("+").sort().join("+");
}

let applicationMenu: Menu | null = null;
export const Menu = {
  buildFromTemplate: (template: readonly Template[]): Menu => ({ items: template.map(itemOf) }),
  setApplicationMenu: (menu: Menu) => void (applicationMenu = menu),
  getApplicationMenu: () => applicationMenu,
};

/** Closes like shell/browser/api/electron_api_browser_window.cc. */
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
    this.webContents = new WebContents({ bounds: this.#bounds, preload: webPreferences?.preload });
    this.webContents.once("did-finish-load", () => this.emit("ready-to-show"));
    this.webContents.on("twin-stayed", () => (this.#isClosing = app.isQuitting = false));
    this.webContents.ipc.on("twin-keys", (_event, keys) => {
      const items = applicationMenu?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      items?.find((item) => item.keys === keys)?.click();
    });
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
  removeMenu = () => undefined;
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
