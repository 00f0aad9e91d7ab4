import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { offerPage } from "../../../main/browser/offer-page.ts";
import { openAppWindow } from "../../../main/browser/open-page.ts";
import { ensureTlsCredentials } from "../../../main/server/tls/tls.ts";
import { chromiumOptions } from "../../fixtures/chromium.ts";
import { folderForFile } from "../../fixtures/folders.ts";

let folder: string;
let programs: string;
let authorityFile: string;
const tlsFolder = folderForFile();
const printed: string[] = [];

beforeAll(async () => void (authorityFile = (await ensureTlsCredentials(tlsFolder, [], new Date())).authorityPath));
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet open page "));
  programs = path.join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(path.join(folder, "index.html"), "");
  printed.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

function install(name: string, script: string): () => string | null {
  const file = path.join(programs, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s ' "$@" >"$0.arguments"\n${script}\n`);
  chmodSync(file, 0o755);
  return () => (existsSync(`${file}.arguments`) ? readFileSync(`${file}.arguments`, "utf8") : null);
}

const system = (display: string | undefined = ":1") => ({
  platform: "linux" as const,
  environment: { PATH: `${programs}:/usr/bin:/bin`, DISPLAY: display, HOME: folder },
});
const url = "https://localhost:1/#t=secret";
const offer = (display?: string) =>
  offerPage(
    { url, dataDir: folder, authorityFile },
    { isOpened: true, hasHint: false, system: system(display), folder, print: (line) => printed.push(line) },
  );
const hint = () => `The browser warns about the certificate until you trust the authority in ${authorityFile}.`;

describe.skipIf(process.platform === "win32")("a start with --open", () => {
  it("opens an app window in the first browser that starts, without the token in its arguments", async () => {
    const chrome = install("google-chrome-stable", "exit 1");
    const edge = install("microsoft-edge-stable", "exit 0");
    const window = await offer();
    expect([window?.browser, printed]).toEqual(["Edge", ["The page is open in a window of Edge."]]);
    expect(chrome()).not.toBeNull();
    expect(edge()).toMatch(
      /--app=file:\S+open-page.html --user-data-dir=.*browser --ignore-certificate-errors-spki-list=\S{44} /,
    );
    expect(edge()).not.toContain("secret");
    const opener = path.join(folder, "open-page.html");
    expect([statSync(opener).mode & 0o777, readFileSync(opener, "utf8").includes(url)]).toEqual([0o600, true]);
  });

  it("opens the default browser if no app window opens, and names the authority's file", async () => {
    for (const name of ["google-chrome-stable", "google-chrome", "microsoft-edge-stable", "microsoft-edge", "chromium"])
      install(name, "exit 1");
    const opened = install("xdg-open", "exit 0");
    expect(await offer()).toBeNull();
    expect(printed).toEqual([`Open the page: ${url}`, hint(), "The page is open in the default browser."]);
    expect(opened()).toBe(`${url} `);
  });

  it("only prints the address without a display or a built page", async () => {
    const chrome = install("google-chrome-stable", "exit 0");
    expect(await offer("")).toBeNull();
    rmSync(path.join(folder, "index.html"));
    expect(await offer()).toBeNull();
    expect(printed).toEqual([`Open the page: ${url}`, hint(), expect.stringContaining("npm run build")]);
    expect(chrome()).toBeNull();
  });
});

const chromiumFile = chromiumOptions.executablePath;
const canRun = process.platform === "linux" && existsSync(chromiumFile);
it.runIf(canRun)("opens the page in Chromium, which trusts the authority's key", async () => {
  const { cert, key } = await ensureTlsCredentials(tlsFolder, [], new Date());
  const arrived = Promise.withResolvers<string>();
  const server = createServer({ cert, key }, (request, response) => {
    if (request.url === "/") response.end(`<script>fetch("/arrived?" + location.hash.slice(1))</script>`);
    else response.end(void (request.url?.startsWith("/arrived") && arrived.resolve(request.url)));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  install("google-chrome-stable", `exec ${chromiumFile} --headless --no-sandbox "$@"`);
  const page = { url: `https://localhost:${port}/#t=good`, dataDir: folder, authorityFile };
  const window = await openAppWindow(page, system(), 100);
  onTestFinished(() => {
    window?.close();
    server.closeAllConnections();
    server.close();
  });
  expect(await arrived.promise).toBe("/arrived?t=good");
});
