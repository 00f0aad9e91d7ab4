import type { BrowserWindow } from "electron";
import type { Desktop } from "../../ipc/desktop.ts";
import type { Log } from "../../services/measuring/service-context.ts";
import type { MenuTexts } from "../menu/menu-texts.ts";
import { askBeforeClosing } from "./ask-before-closing.ts";
import { watchWindow } from "./window-faults.ts";
import { openWindow } from "./window.ts";

/** The program's only window, which closes and opens again while the service runs. */
export type MainWindow = {
  /** Opens the window, or brings it to the front. A window that is closing opens again afterwards. */
  readonly show: () => void;
  /** Closes the window, unless its page refuses. @returns false if there is none */
  readonly close: () => boolean;
};

type MainWindowOptions = {
  readonly desktop: Desktop;
  readonly log: Log;
  readonly texts: () => MenuTexts;
  readonly preload: string;
  readonly dataDir: string;
  readonly isPackaged: boolean;
  /** The user keeps the window and its unsaved changes. */
  readonly onStay: () => void;
  /** @param isWanted  the window was requested while it closed */
  readonly onClosed: (isWanted: boolean) => void;
};

export function createMainWindow(options: MainWindowOptions): MainWindow {
  const { desktop, log, texts } = options;
  let window: BrowserWindow | null = null;
  /** The page may still refuse. */
  let isClosing = false;
  let isWanted = false;
  /** The window is invisible until its page has been drawn. */
  let isDrawn = false;
  const open = () => {
    isDrawn = isWanted = false;
    const opened = openWindow(desktop, { ...options, onShown: () => (isDrawn = true) });
    watchWindow(opened, texts, log);
    askBeforeClosing(opened, texts, () => {
      isClosing = isWanted = false;
      options.onStay();
    });
    opened.on("close", () => (isClosing = true));
    opened.once("closed", () => {
      window = null;
      isClosing = false;
      options.onClosed(isWanted);
    });
    return opened;
  };
  return {
    show() {
      if (isClosing) {
        isWanted = true;
        return;
      }
      if (window === null) {
        window = open();
        return;
      }
      if (window.isMinimized()) window.restore();
      if (!isDrawn) return;
      window.show();
      window.focus();
    },
    close() {
      const closing = window;
      closing?.close();
      return closing !== null;
    },
  };
}
