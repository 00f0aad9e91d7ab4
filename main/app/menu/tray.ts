import path from "node:path";
import { Menu, Tray } from "electron";
import type { MenuTexts } from "./menu-texts.ts";

/** Tray icon that shows that the service runs. The caller must keep a reference, or the icon disappears. */
export type ServiceTray = { translate(texts: MenuTexts): void };

/** Must be called only once: on Linux, a second Tray may not appear. */
export function openTray(
  folder: string,
  serviceUrl: string,
  actions: { show(): void; quit(): void },
  platform: NodeJS.Platform,
): ServiceTray {
  const isMac = platform === "darwin";
  const tray = new Tray(path.join(folder, isMac ? "trayTemplate.png" : "tray.png"));
  // On macOS a click opens the menu.
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
