import { dialog, type BrowserWindow } from "electron";
import type { MenuTexts } from "../menu/menu-texts.ts";

/** Asks the user before the page's unsaved changes are discarded. @param onStay  the window remains open */
export function askBeforeClosing(window: BrowserWindow, texts: () => MenuTexts, onStay: () => void): void {
  window.webContents.on("will-prevent-unload", (event) => {
    const { unsaved, stay, discard } = texts();
    const choice = dialog.showMessageBoxSync(window, {
      type: "warning",
      message: unsaved,
      buttons: [stay, discard],
      defaultId: 0,
      cancelId: 0,
    });
    if (choice === 1) event.preventDefault();
    else onStay();
  });
}
