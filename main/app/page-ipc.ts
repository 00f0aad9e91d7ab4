import type { IpcMain, IpcMainInvokeEvent, WebContents } from "electron";
import { AppError } from "../../core/app-error.ts";
import { desktopChannels, type DesktopAnswer } from "../../core/contract/desktop.ts";
import { desktopEvents, type DesktopEvent } from "../../core/contract/desktop/events.ts";
import { ownWindow } from "../services/people/person-sessions.ts";
import type { Desktop } from "../ipc/desktop.ts";
import { isOwnPage } from "./own-page.ts";

export function answerCalls(ipcMain: Pick<IpcMain, "handle">, desktop: Desktop): void {
  for (const channel of desktopChannels) {
    ipcMain.handle(channel, (event, request: unknown): Promise<DesktopAnswer<unknown>> | DesktopAnswer<never> =>
      isFromPage(event) ? desktop.call(channel, request, ownWindow) : foreignSender(),
    );
  }
}

/** Forwards events to a window's page. Some are queued until the page listens, also during a reload. */
export function forwardEvents(desktop: Desktop, contents: WebContents): void {
  let isListening = false;
  const kept: DesktopEvent[] = [];
  const unsubscribe = desktop.subscribePage(ownWindow, (event) => {
    if (contents.isDestroyed()) return;
    if (isListening) contents.send("event", event);
    else if (desktopEvents[event.name].isKept) kept.push(event);
  });
  contents.on("did-start-navigation", ({ url, isMainFrame, isSameDocument }) => {
    // Electron also emits this event for navigation to another address that is then refused.
    if (isMainFrame && !isSameDocument && url === contents.getURL()) isListening = false;
  });
  contents.ipc.on("listening", () => {
    isListening = true;
    for (const event of kept.splice(0)) contents.send("event", event);
  });
  contents.once("destroyed", unsubscribe);
}

function isFromPage({ senderFrame, sender }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url);
}

function foreignSender(): DesktopAnswer<never> {
  const { code, message } = new AppError("FOREIGN_SENDER");
  return { ok: false, code, message };
}
