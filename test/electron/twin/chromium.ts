import { spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http2, { type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CDPSession } from "playwright-core";
import { makeOwnCertificate } from "../../../main/dicom/network/make-certificate.ts";

/** A target of Chromium: a page, or the browser itself. */
export type Target = Pick<CDPSession, "send" | "on">;
export type Chromium = {
  readonly address: string;
  readonly browser: Target;
  target(sessionId: string): Target & EventEmitter;
};

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
  const { certificatePem, privateKeyPem } = await makeOwnCertificate(
    pageHost,
    new Date(Date.now() - day),
    new Date(Date.now() + day),
  );
  const server = http2.createSecureServer({ key: privateKeyPem, cert: certificatePem }, onRequest);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const key = new X509Certificate(certificatePem).publicKey.export({ type: "spki", format: "der" });
  const address = await spawnChromium([
    `--ignore-certificate-errors-spki-list=${createHash("sha256").update(key).digest("base64")}`,
    `--host-resolver-rules=MAP * 127.0.0.1:${(server.address() as AddressInfo).port}, EXCLUDE 127.0.0.1`,
    ...(JSON.parse(process.env["TWIN_CHROMIUM"] ?? "[]") as string[]),
  ]);
  return connect(address);
}

/** @returns the address of its DevTools protocol */
function spawnChromium(more: readonly string[]): Promise<string> {
  const profile = mkdtempSync(path.join(tmpdir(), "corvet-twin-"));
  const child = spawn(
    process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    [
      ...["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic"],
      ...["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
      ...["--disable-extensions", "--disable-popup-blocking", "--lang=en-GB", "--remote-debugging-port=0"],
      ...["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", `--user-data-dir=${profile}`],
      ...more,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  process.on("exit", () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // It has ended.
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stderr.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address] = /DevTools listening on (ws:\S+)/.exec(printed) ?? [];
      if (address) resolve(address);
    });
    child.once("exit", (code) => reject(new Error(`Chromium ended with ${code}: ${printed.slice(-2000)}`)));
  });
}

type Answer = { id?: number; sessionId?: string; method: string; params: unknown; result: unknown; error?: Error };

async function connect(address: string): Promise<Chromium> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const targets = new Map<string, Target & EventEmitter>();
  const target = (sessionId = "") => {
    const send = (method: string, params: object = {}) => {
      const id = nextId++;
      pending.set(id, Promise.withResolvers());
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
      return pending.get(id)!.promise;
    };
    const made =
      targets.get(sessionId) ?? (Object.assign(new EventEmitter(), { send }) as unknown as EventEmitter & Target);
    targets.set(sessionId, made);
    return made;
  };
  let nextId = 1;
  socket.addEventListener("message", ({ data }) => {
    const { id, sessionId, method, params, result, error } = JSON.parse(String(data)) as Answer;
    if (id === undefined) return void targets.get(sessionId ?? "")?.emit(method, params);
    if (error) pending.get(id)?.reject(new Error(error.message));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  });
  return { address, browser: target(), target };
}
