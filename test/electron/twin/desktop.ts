import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { request, type RequestOptions } from "node:http";
import type Electron from "electron";
import type { BrowserWindow } from "./browser-window.ts";

/** Tests answer dialogs (watched-desktop.ts); without a test the program ends after a fault. */
export const dialog = {
  showErrorBox: (title: string, content: string) => console.error(`${title}: ${content}`),
};
export const shell = {};

/** Sealing with a key ring, or in plain text without one: docs/api/safe-storage.md. */
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
export const net = { request: (options: RequestOptions) => request(options) };

export class Tray extends EventEmitter {
  /** For tests. */
  static readonly all: Tray[] = [];
  readonly image: string;
  constructor(image: string) {
    super();
    if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`);
    this.image = image;
    // shell/browser/ui/tray_icon_linux.cc: only the first one has an icon for sure.
    if (Tray.all.push(this) > 1 && process.platform === "linux") throw new Error("a second Tray may not appear");
  }
  setToolTip = () => undefined;
  setContextMenu = () => undefined;
}

type Template = Electron.MenuItemConstructorOptions;
type MenuItem = {
  readonly label: string;
  readonly keys: string | undefined;
  readonly submenu: Menu | null;
  click(event?: object, window?: BrowserWindow): void;
};

const itemOf = ({ role, label = role ?? "", accelerator, enabled = true, submenu, click }: Template): MenuItem => ({
  label,
  keys: accelerator && keysOf(accelerator),
  submenu: Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : null,
  click: (event = {}, window) => enabled && click?.({} as never, window as never, event as never),
});

/** Names of keys in the order of the alphabet: docs/api/accelerator.md */
function keysOf(accelerator: string): string {
  const command = process.platform === "darwin" ? "cmd" : "ctrl";
  return accelerator.toLowerCase().replace("cmdorctrl", command).split("+").sort().join("+");
}

export class Menu {
  static #application: Menu | null = null;
  readonly items: readonly MenuItem[];
  private constructor(items: readonly MenuItem[]) {
    this.items = items;
  }
  static buildFromTemplate = (template: readonly Template[]): Menu => new Menu(template.map(itemOf));
  static setApplicationMenu = (menu: Menu) => void (Menu.#application = menu);
  static getApplicationMenu = () => Menu.#application;

  /** Follows keys that the page left unhandled. */
  static press(keys: unknown, window: BrowserWindow): void {
    const items = (menu: Menu | null): MenuItem[] =>
      menu?.items.flatMap((item) => [item, ...items(item.submenu)]) ?? [];
    items(Menu.#application)
      .find((item) => item.keys === keys)
      ?.click({}, window);
  }
}
