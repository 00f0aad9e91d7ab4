import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type BrowserContext } from "playwright-core";
import { removeAtExit } from "../../fixtures/process/process-end.ts";
import { pageAddress, respond } from "./session.ts";

/** Set before the application is ready. */
export const running: { context: BrowserContext | null } = { context: null };

/**
 * Starts headless Chromium, which reaches no address but that of the page.
 *
 * @returns the address of its DevTools protocol
 */
export async function startChromium(): Promise<string> {
  const server = createServer((request, response) => void respond(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // Chromium has no schemes of a program's own, and takes this host for a secure origin.
  pageAddress.inChromium = `http://corvet.localhost:${(server.address() as AddressInfo).port}/`;
  const profile = mkdtempSync(path.join(tmpdir(), "corvet-twin-"));
  running.context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    chromiumSandbox: false,
    viewport: null,
    // Signals belong to the program.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      "--disable-gpu",
      "--enable-unsafe-swiftshader",
      "--lang=en-GB",
      "--remote-debugging-port=0",
      "--use-fake-device-for-media-stream",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
      ...(JSON.parse(process.env["TWIN_CHROMIUM"] ?? "[]") as string[]),
    ],
  });
  // After Playwright's own listener, which ends Chromium.
  removeAtExit(profile);
  const [port, endpoint] = readFileSync(path.join(profile, "DevToolsActivePort"), "utf8").split("\n");
  return `ws://127.0.0.1:${port}${endpoint}`;
}
