import { BrowserWindow, screen } from "electron";
import type { Desktop } from "../../ipc/desktop.ts";
import { pageUrl } from "../own-page.ts";
import { forwardEvents } from "../page-ipc.ts";
import { pagePreferences } from "./page-limits.ts";
import { keepWindowState, readWindowState } from "./window-state.ts";

/** Colour of the empty window: that of the page, so that nothing flashes. */
const background = "#101418";

type WindowOptions = {
  readonly preload: string;
  readonly dataDir: string;
  readonly isPackaged: boolean;
  /** The page has been drawn and the window is visible. */
  readonly onShown: () => void;
};

/** Opens the program's window at its last place. It becomes visible once its page has been drawn. */
export function openWindow(desktop: Desktop, options: WindowOptions): BrowserWindow {
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
