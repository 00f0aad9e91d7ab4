import type { App, Event, WebContentsWillNavigateEventParams, WebPreferences } from "electron";
import { isOwnPage } from "../own-page.ts";

export const pagePreferences = ({
  preload,
  isPackaged,
}: {
  readonly preload: string;
  readonly isPackaged: boolean;
}): WebPreferences => ({
  preload,
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
  devTools: !isPackaged,
});

/** Allows reloads of the page only; blocks other navigation, new windows and embedded pages. */
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
