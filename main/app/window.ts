import { BrowserWindow, screen, type App, type Event, type WebContentsWillNavigateEventParams } from "electron";
import type { Desktop } from "../ipc/desktop.ts";
import { isOwnPage, pageUrl } from "./own-page.ts";
import { forwardEvents } from "./page-ipc.ts";
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
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: !options.isPackaged,
    },
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

/** Keeps the page in its window: reloads are allowed; other navigation, further windows and embedded pages are not. */
export function forbidNavigation(app: App): void {
  app.on("web-contents-created", (_event, contents) => {
    const keepPage = (event: Event<WebContentsWillNavigateEventParams>) => {
      // A reload navigates to the same address.
      const isReload = event.isMainFrame && event.url === contents.getURL() && isOwnPage(event.url);
      if (!isReload) event.preventDefault();
    };
    contents.on("will-navigate", keepPage);
    contents.on("will-frame-navigate", keepPage);
    contents.on("will-redirect", (event) => event.preventDefault());
    contents.on("will-attach-webview", (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
  });
}
