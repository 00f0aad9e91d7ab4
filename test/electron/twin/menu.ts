import type Electron from "electron";
import type { BrowserWindow } from "./browser-window.ts";

export type PressedKey = { key: string; ctrlKey: boolean; shiftKey: boolean; altKey: boolean; metaKey: boolean };
type Template = Electron.MenuItemConstructorOptions;
type MenuItem = Pick<Template, "label" | "role" | "accelerator"> & {
  readonly submenu: Menu | null;
  click(event?: object, window?: BrowserWindow): void;
};

function itemOf(given: Template): MenuItem {
  const { role, label = role ?? "", accelerator, enabled = true, submenu, click } = given;
  return {
    label,
    ...(role && { role }),
    ...(accelerator && { accelerator }),
    submenu: Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : null,
    click: (event = {}, window) => enabled && click?.({} as never, window as never, event as never),
  };
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

  /** Follows a key that the page left unhandled. */
  static press({ key, ctrlKey, shiftKey, altKey, metaKey }: PressedKey, window: BrowserWindow): void {
    const keys = [ctrlKey && "ctrl", shiftKey && "shift", altKey && "alt", metaKey && "cmd", key.toLowerCase()];
    const pressed = keys.filter(Boolean).sort().join("+");
    const items = (menu: Menu | null): MenuItem[] =>
      (menu?.items ?? []).flatMap((item) => [item, ...items(item.submenu)]);
    const chosen = items(Menu.#application).find(({ accelerator }) => accelerator && keysOf(accelerator) === pressed);
    chosen?.click({}, window);
  }
}

/** docs/api/accelerator.md */
function keysOf(accelerator: string): string {
  const command = process.platform === "darwin" ? "cmd" : "ctrl";
  const named = accelerator.toLowerCase().replace(/cmdorctrl|commandorcontrol/, command);
  return named.split("+").sort().join("+");
}
