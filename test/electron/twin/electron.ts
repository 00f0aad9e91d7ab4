import { app } from "./app.ts";
import { BrowserWindow } from "./browser-window.ts";
import { startChromium } from "./chromium.ts";
import * as desktop from "./desktop.ts";
import { Menu } from "./menu.ts";
import { protocol, session } from "./session.ts";
import { ipcMain } from "./web-contents.ts";

export { app, BrowserWindow, ipcMain, Menu, protocol, session };
export * from "./desktop.ts";

const electron = { ...desktop, app, BrowserWindow, ipcMain, Menu, protocol, session };
type Sent = { readonly id: number; readonly source: string; readonly argument: unknown };
const started = Promise.withResolvers<true>();

app.prepare = async () => {
  const address = await startChromium();
  process.send?.({ address });
  // A test prepares the main process before the program starts, as Playwright's loader for Electron lets it.
  if (process.connected) await started.promise;
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
