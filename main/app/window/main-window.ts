import { BrowserWindow, dialog, screen } from "electron";
import type { Desktop } from "../../ipc/desktop.ts";
import type { Log } from "../../services/measuring/service-context.ts";
import type { MenuTexts } from "../menu/menu-texts.ts";
import { watchWindow } from "./window-faults.ts";
import { pageUrl } from "../own-page.ts";
import { forwardEvents } from "../page-ipc.ts";
import { pagePreferences } from "./page-limits.ts";
import { keepWindowState, readWindowState } from "./window-state.ts";

/** The program's only window, which can be closed and reopened while the service runs. */
export type MainWindow = {
  readonly show: () => void;
  /** Closes the window, unless its page prevents it. @returns false if there is no window */
  readonly close: () => boolean;
};

type MainWindowOptions = {
  readonly desktop: Desktop;
  readonly log: Log;
  readonly texts: () => MenuTexts;
  readonly preload: string;
  readonly dataDir: string;
  readonly isPackaged: boolean;
  readonly onStay: () => void;
  readonly onClosed: (isWanted: boolean) => void;
};

export function createMainWindow(options: MainWindowOptions): MainWindow {
  const { desktop, log, texts } = options;
  let window: BrowserWindow | null = null;
  /** true from the start of closing, which the page may still prevent. */
  let isClosing = false;
  let isWanted = false;
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

function askBeforeClosing(window: BrowserWindow, texts: () => MenuTexts, onStay: () => void): void {
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

/** Background of the page, used for the empty window to avoid a flash. */
const background = "#101418";

type WindowOptions = {
  readonly preload: string;
  readonly dataDir: string;
  readonly isPackaged: boolean;
  readonly onShown: () => void;
};

/** Opens the window at its last position. It becomes visible once its page has been drawn. */
function openWindow(desktop: Desktop, options: WindowOptions): BrowserWindow {
  const state = readWindowState(options.dataDir, screen.getAllDisplays());
  const window = new BrowserWindow({
    ...(state ?? { width: 1440, height: 900 }),
    minWidth: 1024,
    minHeight: 640,
    show: false,
    title: "Corvet",
    backgroundColor: background,
    webPreferences: pagePreferences(options),
  });
  if (state?.isMaximized) window.maximize();
  keepWindowState(window, options.dataDir);
  forwardEvents(desktop, window.webContents);
  window.once("ready-to-show", () => {
    window.show();
    options.onShown();
  });
  void window.loadURL(pageUrl);
  return window;
}
