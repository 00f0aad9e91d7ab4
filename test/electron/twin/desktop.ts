import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { request, type RequestOptions } from "node:http";
import type { Menu } from "./menu.ts";

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
  toolTip = "";
  menu: Menu | null = null;
  constructor(image: string) {
    super();
    if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`);
    // shell/browser/ui/tray_icon_linux.cc: only the first one has an icon for sure.
    this.image = image;
    if (Tray.all.push(this) > 1 && process.platform === "linux") throw new Error("a second Tray may not appear");
  }
  setToolTip = (text: string) => void (this.toolTip = text);
  setContextMenu = (menu: Menu) => void (this.menu = menu);
}
