import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http2, { type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type BrowserContext, type CDPSession } from "playwright-core";
import { makeOwnCertificate } from "../../../main/dicom/network/make-certificate.ts";

/** `address` is that of its DevTools protocol. */
export type Chromium = { readonly address: string; readonly context: BrowserContext; readonly browser: CDPSession };

/** Origin of the page in Chromium, which has no schemes of a program's own. */
export const pageHost = "app.corvet.test";

/**
 * Starts headless Chromium. Every name leads to a server of this process, whose key Chromium trusts: nothing reaches
 * the network.
 */
export async function startChromium(
  onRequest: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<Chromium> {
  const day = 24 * 3600_000;
  const [from, until] = [new Date(Date.now() - day), new Date(Date.now() + day)];
  const { certificatePem, privateKeyPem } = await makeOwnCertificate(pageHost, from, until);
  const server = http2.createSecureServer({ key: privateKeyPem, cert: certificatePem }, onRequest);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const key = new X509Certificate(certificatePem).publicKey.export({ type: "spki", format: "der" });
  const profile = mkdtempSync(path.join(tmpdir(), "corvet-twin-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    chromiumSandbox: false,
    viewport: null,
    // Signals belong to the program.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    args: [
      ...[
        "--disable-gpu",
        "--enable-unsafe-swiftshader",
        "--disable-quic",
        "--lang=en-GB",
        "--remote-debugging-port=0",
      ],
      ...["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
      `--ignore-certificate-errors-spki-list=${createHash("sha256").update(key).digest("base64")}`,
      `--host-resolver-rules=MAP * 127.0.0.1:${(server.address() as AddressInfo).port}, EXCLUDE 127.0.0.1`,
      ...(JSON.parse(process.env["TWIN_CHROMIUM"] ?? "[]") as string[]),
    ],
  });
  // After Playwright's own listener, which ends Chromium.
  process.on("exit", () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  const [port, endpoint] = readFileSync(path.join(profile, "DevToolsActivePort"), "utf8").split("\n");
  return {
    address: `ws://127.0.0.1:${port}${endpoint}`,
    context,
    browser: await context.browser()!.newBrowserCDPSession(),
  };
}
