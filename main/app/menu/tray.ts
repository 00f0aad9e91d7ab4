import path from "node:path";
import { Menu, Tray } from "electron";
import type { MenuTexts } from "./menu-texts.ts";

/** Shows that the service runs, with or without a window. Keep a reference: a collected tray disappears. */
export type ServiceTray = { translate(texts: MenuTexts): void };

/**
 * Puts the program into the tray. There is one Tray for as long as the program runs: on Linux, a second may not appear.
 *
 * @param folder  of the icons; macOS adapts a template to the menu bar's colours
 */
export function openTray(
  folder: string,
  serviceUrl: string,
  actions: { show(): void; quit(): void },
  platform: NodeJS.Platform,
): ServiceTray {
  const isMac = platform === "darwin";
  const tray = new Tray(path.join(folder, isMac ? "trayTemplate.png" : "tray.png"));
  // A click opens the menu on macOS.
  if (!isMac) tray.on("click", actions.show);
  return {
    translate(texts) {
      const running = `${texts.running} ${serviceUrl}`;
      tray.setToolTip(`Corvet: ${running}`);
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: running, enabled: false },
          { type: "separator" },
          { label: texts.show, click: actions.show },
          { label: texts.quit, click: actions.quit },
        ]),
      );
    },
  };
}
