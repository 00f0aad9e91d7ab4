import { isPageBuilt } from "../ipc/page/page-files.ts";
import { pageDir } from "../program.ts";
import type { BrowserSystem } from "./find-browsers.ts";
import { openAppWindow, openDefaultBrowser, type OpenedPage, type PageWindow } from "./open-page.ts";

type Offer = {
  readonly isOpened: boolean;
  readonly hasHint: boolean;
  readonly system: BrowserSystem;
  readonly folder?: string;
  print(line: string): void;
};

/** Opens the page in an app window, else in the default browser, else prints its address. */
export async function offerPage(page: OpenedPage, offer: Offer): Promise<PageWindow | null> {
  const { isOpened, hasHint, system, folder = pageDir, print } = offer;
  if (!isPageBuilt(folder)) {
    print("The page has not been built and cannot be opened. Run: npm run build");
    return null;
  }
  // Fails if the disk is full, since an app window needs a profile.
  const window = isOpened ? await openAppWindow(page, system).catch(() => null) : null;
  if (window) {
    print(`The page is open in a window of ${window.browser}.`);
    return window;
  }
  print(`Open the page: ${page.url}`);
  if (isOpened || hasHint)
    print(`The browser warns about the certificate until you trust the authority in ${page.authorityFile}.`);
  if (isOpened && (await openDefaultBrowser(page.url, system))) print("The page is open in the default browser.");
  return null;
}
