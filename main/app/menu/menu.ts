import type { MenuItemConstructorOptions } from "electron";
import type { DesktopEventPayload } from "../../../core/contract/desktop/events.ts";
import type { MenuTexts } from "./menu-texts.ts";

type Command = DesktopEventPayload<"menu.command">["command"];
/** Electron roles that have a text of the same name. */
type Role = keyof MenuTexts & MenuItemConstructorOptions["role"];

export type MenuActions = {
  command(command: Command): void;
  openFiles(): void;
  openFolder(): void;
  showDataFolder(): void;
  quit(): void;
};

export function menuTemplate(
  texts: MenuTexts,
  actions: MenuActions,
  { platform, isPackaged }: { readonly platform: NodeJS.Platform; readonly isPackaged: boolean },
): MenuItemConstructorOptions[] {
  const isMac = platform === "darwin";
  const commandItem = (label: string, command: Command, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => actions.command(command),
    ...(accelerator && { accelerator }),
  });
  const settings = commandItem(texts.settings, "open-settings", "CmdOrCtrl+,");
  const about = commandItem(texts.about, "about");
  const quit: MenuItemConstructorOptions = {
    label: texts.quit,
    accelerator: isMac ? "Cmd+Q" : "Ctrl+Q",
    click: actions.quit,
  };
  const separator: MenuItemConstructorOptions = { type: "separator" };
  // Electron's own labels of roles are always English.
  const roles = (...names: readonly Role[]) => names.map((role) => ({ role, label: texts[role] }));
  return [
    ...(isMac
      ? [
          {
            label: "Corvet",
            submenu: [about, separator, settings, separator, ...roles("hide", "hideOthers"), separator, quit],
          } satisfies MenuItemConstructorOptions,
        ]
      : []),
    {
      label: texts.file,
      submenu: [
        { label: texts.open, accelerator: "CmdOrCtrl+O", click: actions.openFiles },
        { label: texts.openFolder, accelerator: "CmdOrCtrl+Shift+O", click: actions.openFolder },
        separator,
        { label: texts.dataFolder, click: actions.showDataFolder },
        ...roles("close"),
        ...(isMac ? [] : [separator, settings, separator, quit]),
      ],
    },
    {
      label: texts.edit,
      role: "editMenu",
      submenu: [
        ...roles("undo", "redo"),
        separator,
        ...roles("cut", "copy", "paste", "delete"),
        separator,
        ...roles("selectAll"),
      ],
    },
    {
      label: texts.view,
      submenu: [
        commandItem(texts.worklist, "open-worklist"),
        commandItem(texts.patients, "open-patients"),
        commandItem(texts.usg, "open-usg"),
        commandItem(texts.capture, "open-capture"),
        commandItem(texts.agreement, "open-agreement"),
        commandItem(texts.ledger, "open-ledger"),
        separator,
        ...roles("togglefullscreen"),
        ...(isPackaged ? [] : [{ role: "toggleDevTools" } as const]),
      ],
    },
    { label: texts.window, role: "windowMenu", submenu: roles("minimize", "zoom") },
    {
      label: texts.help,
      role: "help",
      submenu: [
        commandItem(texts.manual, "show-help", "F1"),
        commandItem(texts.shortcuts, "show-shortcuts"),
        ...(isMac ? [] : [about]),
      ],
    },
  ];
}
