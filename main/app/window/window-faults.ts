import { dialog, type BrowserWindow } from "electron";
import type { Log } from "../../services/measuring/service-context.ts";
import type { MenuTexts } from "../menu/menu-texts.ts";

/** Offers to reload the page if its process ended or does not respond. */
export function watchWindow(window: BrowserWindow, texts: () => MenuTexts, log: Log): void {
  const { webContents } = window;
  let isAsking = false;
  let responding = new AbortController();
  const ask = async (message: string, detail: string, otherButtons: readonly string[]): Promise<boolean> => {
    if (isAsking) return false;
    isAsking = true;
    const { signal } = (responding = new AbortController());
    const buttons = [...otherButtons, texts().reload];
    const last = buttons.length - 1;
    const options = { message, detail, buttons, defaultId: last, cancelId: 0, noLink: true, signal };
    const { response } = await dialog.showMessageBox(window, { ...options, type: "warning" });
    isAsking = false;
    return response === last && !signal.aborted && !window.isDestroyed();
  };
  webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
    if (reason === "clean-exit") return;
    log.error({ reason, exitCode }, "the page's process ended");
    const { crashed, crashedDetail } = texts();
    void ask(crashed, crashedDetail, []).then((isReloaded) => isReloaded && webContents.reload());
  });
  // Also emitted five seconds after a `close` that the page prevented: lib/browser/api/browser-window.ts.
  webContents.on("unresponsive", () => {
    log.warn({}, "the page does not respond");
    const { hanging, hangingDetail, wait } = texts();
    void ask(hanging, hangingDetail, [wait]).then((isReloaded) => {
      if (!isReloaded) return;
      // A hanging page cannot be reloaded, so its process is ended first. The resulting crash must not ask again.
      isAsking = true;
      webContents.once("did-finish-load", () => (isAsking = false));
      webContents.forcefullyCrashRenderer();
      webContents.reload();
    });
  });
  webContents.on("responsive", () => responding.abort());
}
