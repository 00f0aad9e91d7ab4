import { ipcMain, type IpcMainInvokeEvent, type WebContents } from "electron";
import { AppError } from "../../core/app-error.ts";
import { desktopChannels, type DesktopAnswer } from "../../core/contract/desktop.ts";
import { ownWindow } from "../services/people/person-sessions.ts";
import type { Desktop } from "../ipc/desktop.ts";
import { isOwnPage } from "./own-page.ts";

/** Every channel of the contract, for the main frame of the program's own page alone. */
export function answerCalls(desktop: Desktop): void {
  for (const channel of desktopChannels) {
    ipcMain.handle(channel, (event, request: unknown): Promise<DesktopAnswer<unknown>> | DesktopAnswer<never> =>
      isFromPage(event) ? desktop.call(channel, request, ownWindow) : foreignSender(),
    );
  }
}

/** Passes events on to a window's page until it is gone. */
export function forwardEvents(desktop: Desktop, contents: WebContents): void {
  const unsubscribe = desktop.subscribePage(ownWindow, (event) => {
    if (!contents.isDestroyed()) contents.send("event", event);
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
