import { Menu, Tray } from "electron";
import type { MenuTexts } from "./menu-texts.ts";

/** Shows that the service runs, with or without a window. Keep what it returns: a tray that is collected disappears. */
export function openTray(
  icon: string,
  texts: MenuTexts,
  serviceUrl: string,
  actions: { show(): void; quit(): void },
): Tray {
  const tray = new Tray(icon);
  tray.setToolTip(`Corvet: ${texts.running} ${serviceUrl}`);
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: `${texts.running} ${serviceUrl}`, enabled: false },
      { type: "separator" },
      { label: texts.show, click: actions.show },
      { label: texts.quit, click: actions.quit },
    ]),
  );
  tray.on("click", actions.show);
  return tray;
}
