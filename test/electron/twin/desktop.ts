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
type Menu = { readonly items: readonly MenuItem[] };
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

let applicationMenu: Menu | null = null;
export const Menu = {
  buildFromTemplate: (template: readonly Template[]): Menu => ({ items: template.map(itemOf) }),
  setApplicationMenu: (menu: Menu) => void (applicationMenu = menu),
  getApplicationMenu: () => applicationMenu,
  /** Follows keys that the page left unhandled. */
  press(keys: unknown, window: BrowserWindow): void {
    const items = applicationMenu?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find((item) => item.keys === keys)?.click({}, window);
  },
};
