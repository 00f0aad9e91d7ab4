import { app } from "./app.ts";
import { pageHost, startChromium } from "./chromium.ts";
import * as desktop from "./desktop.ts";
import { offerDownloads, protocol, readOpenRequest, respond, session } from "./session.ts";
import { BrowserWindow, ipcMain, running } from "./windows.ts";

export { app, BrowserWindow, ipcMain, protocol, session };
export * from "./desktop.ts";

const electron = { ...desktop, app, BrowserWindow, ipcMain, protocol, session };
type Sent = { readonly id: number; readonly source: string; readonly argument: unknown };
const started = Promise.withResolvers<true>();
desktop.Menu.focusedWindow = BrowserWindow.getFocusedWindow;

app.prepare = async () => {
  const chromium = (running.chromium = await startChromium((incoming, outgoing) => {
    if (incoming.url !== "/.twin/open" || incoming.authority !== pageHost) return void respond(incoming, outgoing);
    const opener = BrowserWindow.getAllWindows()[0]?.webContents;
    void readOpenRequest(incoming).then((details) => outgoing.end(opener?.openHandler?.(details).action ?? "allow"));
  }));
  process.send?.({ address: chromium.address });
  // A test prepares the main process before the program starts, as Playwright's loader for Electron lets it.
  if (process.connected) await started.promise;
  // Last of all: Playwright sets a folder of its own when it connects.
  await offerDownloads(chromium.browser);
};

process.on("message", (sent: Sent) => {
  if (sent.source === "start") started.resolve(true);
  else void evaluate(sent);
});

async function evaluate({ id, source, argument }: Sent): Promise<void> {
  try {
    const run = new Function(`return (${source})(...arguments)`) as (...args: unknown[]) => unknown;
    process.send?.({ id, value: await run(electron, argument) });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
  }
}
// The program ends with its test.
if (process.connected) process.once("disconnect", () => process.exit(1));
process.channel?.unref();
