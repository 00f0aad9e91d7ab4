import { contextBridge, ipcRenderer } from "electron";
import { desktopChannels } from "../core/contract/desktop.ts";
import type { DesktopBridge, DesktopEvent } from "../core/contract/desktop/events.ts";

const bridge: DesktopBridge = {
  platform: process.platform,
  calls: Object.fromEntries(
    desktopChannels.map((channel) => [channel, (request: unknown) => ipcRenderer.invoke(channel, request)]),
  ) as DesktopBridge["calls"],
  subscribe(listener) {
    const forward = (_event: unknown, event: DesktopEvent) => listener(event);
    ipcRenderer.on("event", forward);
    ipcRenderer.send("listening");
    return () => void ipcRenderer.off("event", forward);
  },
};

contextBridge.exposeInMainWorld("corvet", bridge);
