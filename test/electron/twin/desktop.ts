import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { request, type RequestOptions } from "node:http";
import type Electron from "electron";
import type { BrowserWindow } from "./windows.ts";

export type PressedKey = { key: string; ctrlKey: boolean; shiftKey: boolean; altKey: boolean; metaKey: boolean };
type Options = Electron.MessageBoxOptions;
const optionsOf = (args: unknown[]) => args.at(-1) as Options;

/** Dialogs that nobody answers: those with a signal wait for it, and a synchronous one would block for ever. */
export const dialog = {
  showErrorBox: (title: string, content: string) => console.error(`${title}: ${content}`),
  showOpenDialog: () => new Promise<never>(() => undefined),
  // lib/browser/api/dialog.ts: an aborted signal chooses the button of `cancelId`.
  showMessageBox: (...args: unknown[]) =>
    new Promise<Electron.MessageBoxReturnValue>((resolve) => {
      const { signal, cancelId = 0 } = optionsOf(args);
      signal?.addEventListener("abort", () => resolve({ response: cancelId, checkboxChecked: false }));
    }),
  showMessageBoxSync: (...args: unknown[]): number => {
    throw new Error(`this question would block the program: ${optionsOf(args).message}`);
  },
};

/** Sealing with a key ring, or in plain text without one: docs/api/safe-storage.md. */
const keyRing = process.env["TWIN_KEY_RING"] ?? "basic_text";
export const safeStorage = {
  isEncryptionAvailable: () => keyRing !== "basic_text",
  getSelectedStorageBackend: () => keyRing,
  encryptString: (text: string) => Buffer.from(`v11${Buffer.from(text).toString("base64")}`),
  decryptString: (sealed: Buffer) => Buffer.from(sealed.toString().slice(3), "base64").toString(),
};

export const shell = {
  openPath: async () => "",
  openExternal: async () => undefined,
  showItemInFolder: () => undefined,
};
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };
export const powerMonitor = new EventEmitter();
export const autoUpdater = new EventEmitter();
export const net = { request: (options: RequestOptions) => request(options) };

type Role = { label: string; accelerator?: string; run?: (window: BrowserWindow | null) => void };
/** lib/browser/api/menu-item-roles.ts; roles that Corvet's menu has. */
const roles: Readonly<Record<string, Role>> = {
  close: { label: "Close", accelerator: "CommandOrControl+W", run: (window) => window?.close() },
  minimize: { label: "Minimize", accelerator: "CommandOrControl+M", run: (window) => window?.minimize() },
};

class MenuItem {
  readonly label: string;
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  readonly enabled: boolean;
  readonly submenu: Menu | undefined;
  readonly click: (event?: object, window?: BrowserWindow | null) => void;
  constructor(
    { role, click, submenu, ...options }: Electron.MenuItemConstructorOptions,
    focused: () => BrowserWindow | null,
  ) {
    this.role = role?.toLowerCase();
    const known = roles[this.role ?? ""];
    this.label = options.label ?? known?.label ?? role ?? "";
    this.accelerator = options.accelerator ?? known?.accelerator;
    this.enabled = options.enabled ?? true;
    const inside =
      submenu ?? (this.role === "windowmenu" ? [{ role: "minimize" as const }, { role: "close" as const }] : null);
    if (Array.isArray(inside)) this.submenu = Menu.buildFromTemplate(inside);
    this.click = (event = {}, window = focused()) => {
      if (!this.enabled) return;
      if (known?.run) known.run(window);
      else click?.(this as never, window as never, event as never);
    };
  }
}

export class Menu {
  static focusedWindow: () => BrowserWindow | null = () => null;
  static #application: Menu | null = null;
  readonly items: readonly MenuItem[];
  private constructor(items: readonly MenuItem[]) {
    this.items = items;
  }
  static buildFromTemplate = (template: readonly Electron.MenuItemConstructorOptions[]) =>
    new Menu(template.map((options) => new MenuItem(options, Menu.focusedWindow)));
  static setApplicationMenu = (menu: Menu | null) => void (Menu.#application = menu);
  static getApplicationMenu = () => Menu.#application;
  static press({ key, ctrlKey, shiftKey, altKey, metaKey }: PressedKey, window: BrowserWindow): void {
    const keys = [ctrlKey && "ctrl", shiftKey && "shift", altKey && "alt", metaKey && "cmd", key.toLowerCase()];
    const pressed = keys.filter(Boolean).sort().join("+");
    const all = (menu: Menu | null | undefined): MenuItem[] =>
      (menu?.items ?? []).flatMap((item) => [item, ...all(item.submenu)]);
    all(Menu.#application)
      .find((item) => item.accelerator && keysOf(item.accelerator) === pressed)
      ?.click({}, window);
  }
}

/** docs/api/accelerator.md */
function keysOf(accelerator: string): string {
  const command = process.platform === "darwin" ? "cmd" : "ctrl";
  const keys = accelerator
    .toLowerCase()
    .replace(/cmdorctrl|commandorcontrol/, command)
    .split("+");
  return keys.sort().join("+");
}

export class Tray extends EventEmitter {
  static current: Tray | null = null;
  toolTip = "";
  menu: Menu | null = null;
  constructor(image: string) {
    super();
    if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`);
    // shell/browser/ui/tray_icon_linux.cc: only the first one has an icon for sure.
    if (Tray.current && process.platform === "linux") throw new Error("a second Tray may not appear");
    Tray.current = this;
  }
  setToolTip = (text: string) => void (this.toolTip = text);
  setContextMenu = (menu: Menu) => void (this.menu = menu);
}
