import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { chromium, type BrowserContext } from "playwright-core";
import { chromiumOptions } from "../../fixtures/chromium.ts";
import { removeAtExit } from "../../fixtures/process/process-end.ts";
import { defaultSession, pageAddress } from "./session.ts";

/** Set before the application is ready. */
export let context: BrowserContext;

/** Starts Chromium, which reaches no address but the page's. @returns the address of its DevTools protocol */
export async function startChromium(): Promise<string> {
  const server = createServer((request, response) => void respond(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // Chromium has no schemes of a program's own, and takes this host for a secure origin.
  pageAddress.inChromium = `http://corvet.localhost:${(server.address() as AddressInfo).port}/`;
  const profile = mkdtempSync(path.join(tmpdir(), "corvet-twin-"));
  context = await chromium.launchPersistentContext(profile, {
    ...chromiumOptions,
    viewport: null,
    // Signals belong to the program.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...chromiumOptions.args,
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

/** Headers that a scheme without a network lacks. */
const networkHeaders = /^(host|connection|content-length|transfer-encoding|accept-(encoding|language)|sec-fetch-.*)$/;

/** Passes a request to the scheme's handler without the length of its body, and no signal: lib/browser/api/protocol.ts. */
async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const { method, url = "" } = incoming;
    const headers = Object.entries(incoming.headers).filter(([name]) => !networkHeaders.test(name));
    const hasBody = incoming.headers["transfer-encoding"] ?? incoming.headers["content-length"];
    const body = hasBody ? Readable.toWeb(incoming) : null;
    const init = { method, headers, body, duplex: "half" } as RequestInit;
    const response = await defaultSession.handler!(new Request(new URL(url, pageAddress.inMain), init));
    outgoing.writeHead(response.status, [...response.headers].flat());
    // A page that stops reading cancels the response's body.
    await pipeline((response.body ?? []) as Iterable<Uint8Array>, outgoing);
  } catch (error) {
    if (!outgoing.destroyed) console.error(error);
    outgoing.destroy();
  }
}
