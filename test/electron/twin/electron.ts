export { app } from "./app.ts";
export { BrowserWindow } from "./browser-window.ts";
export * from "./desktop.ts";
export { ipcMain } from "./web-contents.ts";
export { protocol, session } from "./session.ts";
