import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import path from "node:path";
import tls from "node:tls";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, renewCertificate, type Listening } from "../../../main/server/listen.ts";
import { ensureTlsCredentials, type TlsCredentials } from "../../../main/server/tls.ts";
import { listLedgerEvents } from "../../../main/store/ledger-reports.ts";
import { listUndelivered } from "../../../main/store/undelivered-charges.ts";
import { measured, temporaryDataDir } from "../store/sample-store.ts";
import { plainImage } from "./sample-images.ts";
import { openScriptedService, type ScriptedService } from "./scripted-service.ts";

const run = promisify(execFile);
const limits = { headersTimeoutMs: 2500, handshakeTimeoutMs: 2500, checkIntervalMs: 200, heartbeatMs: 100 };
const folder = temporaryDataDir();
let credentials: TlsCredentials;
/** PEM. */
let authority: string;
let service: ScriptedService;
let listening: Listening;
let image: string;

beforeAll(async () => {
  credentials = await ensureTlsCredentials(folder.dataDir, ["clinic.example"], new Date());
  authority = readFileSync(credentials.authorityPath, "utf8");
  service = await openScriptedService({ credentials, configuredHosts: ["clinic.example"], limits });
  listening = await listen(service.app, { port: 0 });
  image = await plainImage();
});
afterAll(async () => {
  await listening.close(100);
  await service.close();
  folder.remove();
});

function request(pathname: string, options: https.RequestOptions & { body?: string } = {}): Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": service.key, "content-type": "application/json", ...rest.headers };
    const sent = https.request(`${listening.url}${pathname}`, { ca: authority, ...rest, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    sent.on("error", reject).end(body);
  });
}

const charges = () => [...listLedgerEvents(service.context.db, {})].sort((a, b) => a.seq - b.seq).map(({ kind }) => kind);

describe("TLS", () => {
  it("Node's client trusts the authority", async () => {
    expect(await request("/v3/health")).toMatchObject({ status: 200 });
  });
  it("curl trusts the authority, under every name", async () => {
    const args = (host: string) => ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", credentials.authorityPath, "-H", `x-api-key: ${service.key}`, `https://${host}:${listening.port}/v3/health`];
    const hosts = ["localhost", "127.0.0.1"];
    expect(await Promise.all(hosts.map(async (host) => (await run("curl", args(host))).stdout))).toEqual(["200", "200"]);
    const { stdout } = await run("curl", ["--resolve", `clinic.example:${listening.port}:127.0.0.1`, ...args("clinic.example")]);
    expect(stdout).toBe("200");
  });
  it("an unknown authority is refused by the client", async () => {
    await expect(request("/v3/health", { ca: undefined })).rejects.toThrow(/certificate/);
  });
  it("::1 answers where the machine has it", async ({ skip }) => {
    const probe = net.connect(listening.port, "::1");
    const outcome = await Promise.race([once(probe, "connect").then(() => "connected"), once(probe, "error").then(() => "none")]).catch(() => "none");
    probe.destroy();
    skip(outcome === "none", "this machine has no IPv6 loopback");
    expect(await request("/v3/health", { host: "::1", hostname: "::1", port: listening.port })).toMatchObject({ status: 200 });
  });
  it("a caller of TLS 1.1 is refused", async () => {
    const socket = tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority, maxVersion: "TLSv1.1", minVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" });
    expect((await once(socket, "error").catch((error: Error) => [error]))[0]).toBeInstanceOf(Error);
  });
});

describe("a renewed certificate", () => {
  it("is used by the next connection, without a restart", async () => {
    const other = await openScriptedService({ credentials, configuredHosts: [], limits });
    const there = await listen(other.app, { port: 0 });
    const fingerprint = async () => {
      const socket = tls.connect({ port: there.port, host: "127.0.0.1", rejectUnauthorized: false });
      await once(socket, "secureConnect");
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const before = await fingerprint();
    await renewCertificate(other.app);
    expect(await fingerprint()).not.toBe(before);
    await there.close(100);
    await other.close();
  });
});

describe("plain HTTP on the same port", () => {
  it("is answered 308 to https with method and path kept", async () => {
    const response = await fetch(`http://localhost:${listening.port}/v3/predict?x=1`, { method: "POST", body: "{}", redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([308, `https://localhost:${listening.port}/v3/predict?x=1`]);
  });
  it("is not redirected to a host of the caller's choice", async () => {
    const [response] = (await once(http.get({ port: listening.port, host: "127.0.0.1", headers: { host: "attacker.example" } }), "response")) as [http.IncomingMessage];
    expect(response.statusCode).toBe(421);
  });
  it("is redirected to the path alone when the whole address is the target, and answered in the shape of its service", async () => {
    const ask = async (target: string, host: string) => {
      const socket = net.connect(listening.port, "127.0.0.1").end(`GET ${target} HTTP/1.1\r\n${host}\r\n\r\n`);
      let text = "";
      for await (const chunk of socket.setEncoding("utf8")) text += chunk;
      return { status: Number(text.split(" ")[1]), location: /^location: (.*)$/im.exec(text)?.[1]?.trim(), body: text.split("\r\n\r\n")[1] };
    };
    expect(await ask("http://localhost/v3/health?x=1", "Host: localhost")).toMatchObject({ status: 308, location: "https://localhost/v3/health?x=1" });
    expect(await ask("/v3/health", "Accept: */*")).toEqual({ status: 421, location: undefined, body: '{"error":"Host not allowed"}' });
    expect(await ask("/usg/v1/health", "Host: attacker.example")).toMatchObject({ status: 421, body: '{"error":{"code":"wrong_host","message":"Host not allowed"}}' });
  });
  it("is served where the user allows it", async () => {
    const open = await openScriptedService({ credentials, configuredHosts: [], isPlainHttpAllowed: true, limits });
    const both = await listen(open.app, { port: 0 });
    const headers = { "x-api-key": open.key };
    expect((await fetch(`http://localhost:${both.port}/v3/health`, { headers })).status).toBe(200);
    const [response] = (await once(https.get(`${both.url}/v3/health`, { ca: authority, headers }), "response")) as [http.IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    await both.close(100);
    await open.close();
  });
});

describe("closing with plain HTTP allowed", () => {
  it("does not wait for connections that are kept alive, and lets what is in flight finish", async () => {
    const open = await openScriptedService({ credentials, configuredHosts: [], isPlainHttpAllowed: true, limits });
    const both = await listen(open.app, { port: 0 });
    const agent = new http.Agent({ keepAlive: true });
    const send = async (path: string, body?: string) => {
      const sent = http.request(`http://localhost:${both.port}${path}`, { agent, method: body ? "POST" : "GET", headers: { "x-api-key": open.key, "content-type": "application/json" } }).end(body);
      const [response] = (await once(sent, "response")) as [http.IncomingMessage];
      await once(response.resume(), "end");
      return response.statusCode;
    };
    expect(await send("/v3/health")).toBe(200);
    open.script.measure = async () => wait(500).then(() => measured);
    const working = [1, 2].map(() => send("/v3/predict", JSON.stringify({ image })));
    while (open.context.queue.size < 2) await wait(5);
    expect(await send("/v3/health")).toBe(200);
    const startedAt = performance.now();
    await both.close(60_000);
    expect(await Promise.all(working)).toEqual([200, 200]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    agent.destroy();
    await open.close();
  }, 90_000);
});

describe("callers that misbehave", () => {
  it("what is no HTTP gets the shape of every error", async () => {
    const socket = tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority });
    socket.write("HELLO\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{"error":"Malformed HTTP request"\}$/);
  });
  it("headers over 16 KiB are 431 in the shape of every error, however much more follows", async () => {
    const socket = tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority });
    const headers = Array.from({ length: 3000 }, (_, index) => `h${index}: 1`).join("\r\n");
    socket.write(`GET /v3/health HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 431 [^]*\{"error":"Request headers too large"\}$/);
  });
  it("a request without Host is refused like one with a wrong one", async () => {
    const socket = tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority });
    socket.write(`GET /v3/health HTTP/1.1\r\nx-api-key: ${service.key}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 421 [^]*\{"error":"Host not allowed"\}$/);
    socket.destroy();
  });
  it("an unknown expectation is passed over, and one of 100-continue is met only for a request that may go on", async () => {
    const statuses = async (line: string, key: string, version = "1.1") => {
      const socket = tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority });
      socket.write(`POST /v3/pop-session/start HTTP/${version}\r\nHost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n${line}\r\n\r\n{}`);
      let text = "";
      for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
      return text.match(/(?<=^HTTP\/1\.1 )\d+/gm);
    };
    expect([await statuses("Expect: a-reply", service.key), await statuses("Expect: 100-Continue", service.key), await statuses("Expect: 100-continue", "wrong")]).toEqual([["200"], ["100", "200"], ["403"]]);
    expect(await statuses("Expect: 100-continue", service.key, "1.0")).toEqual(["200"]);
  });
  it("headers that never end are 408", async () => {
    const socket = tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority });
    socket.write("GET /v3/health HTTP/1.1\r\nHost: localhost\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*\{"error":"Request timed out"\}$/);
  });
  it("a body that never ends is 408, and its bytes are let go", async () => {
    const other = await openScriptedService({ credentials, configuredHosts: [], limits: { ...limits, requestTimeoutMs: 700 } });
    const there = await listen(other.app, { port: 0 });
    const socket = tls.connect({ port: there.port, host: "127.0.0.1", ca: authority });
    socket.write(`POST /v3/predict HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${other.key}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"image":"`);
    const drip = setInterval(() => socket.writable && socket.write("A"), 50);
    const [answer] = (await once(socket.on("error", () => undefined), "data")) as [Buffer];
    clearInterval(drip);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*\{"error":"Request timed out"\}$/);
    await there.close(100);
    await other.close();
  });
  it("a 200 MB body is refused before it is read", async () => {
    const before = process.memoryUsage.rss();
    const file = path.join(folder.dataDir, "large.bin");
    writeFileSync(file, Buffer.alloc(200_000_000, 0x20));
    const headers = ["-H", `x-api-key: ${service.key}`, "-H", "content-type: application/json"];
    const { stdout } = await run("curl", ["-sS", "-w", " %{http_code} %{size_upload}", "--cacert", credentials.authorityPath, ...headers, "--data-binary", `@${file}`, `${listening.url}/v3/predict`]);
    expect(stdout).toBe('{"error":"Request body too large"} 413 0');
    expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
  });
  it("a wrong key is refused before the body is read", async () => {
    const headers = ["-H", "x-api-key: wrong", "-H", "content-type: application/json"];
    const { stdout } = await run("curl", ["-sS", "-w", " %{http_code} %{size_upload}", "--cacert", credentials.authorityPath, ...headers, "--data-binary", `@${path.join(folder.dataDir, "large.bin")}`, `${listening.url}/v3/predict`]);
    expect(stdout).toBe('{"error":"Invalid API key"} 403 0');
  });
  it("500 connections that send a byte a second are cut off while others are answered", async () => {
    const slow = Array.from({ length: 500 }, (_, index) => {
      const socket = index % 5 !== 0 ? net.connect(listening.port, "127.0.0.1") : tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority });
      let sent = 0;
      const drip = setInterval(() => socket.writable && socket.write("GET /v3/health HTTP/1.1"[sent++ % 23] ?? "G"), 1000);
      socket.on("error", () => undefined).once("close", () => clearInterval(drip));
      socket.write("G");
      return socket;
    });
    await Promise.all(slow.map((socket) => once(socket, socket instanceof tls.TLSSocket ? "secureConnect" : "connect")));
    const startedAt = performance.now();
    expect((await request("/v3/health")).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    await Promise.all(slow.map((socket) => socket.closed || new Promise((resolve) => socket.once("close", resolve))));
    expect(slow.every((socket) => socket.destroyed)).toBe(true);
  });
});

describe("a client that goes away", () => {
  it("stops the work and is not billed", async () => {
    const measure = service.script.measure;
    const isMeasuring = Promise.withResolvers<boolean>();
    const isStopped = Promise.withResolvers<boolean>();
    service.script.measure = async (_film, options) => {
      isMeasuring.resolve(true);
      await once(options?.signal ?? new AbortController().signal, "abort");
      isStopped.resolve(true);
      throw options?.signal?.reason;
    };
    const sent = https.request(`${listening.url}/v3/predict`, { method: "POST", ca: authority, headers: { "x-api-key": service.key, "content-type": "application/json" } });
    sent.on("error", () => undefined).end(JSON.stringify({ image }));
    await isMeasuring.promise;
    sent.destroy();
    await isStopped.promise;
    await wait(20);
    expect([charges(), service.context.queue.size]).toEqual([[], 0]);
    service.script.measure = measure;
  });
  it("in the middle of a stream stops the rest and is not billed", async () => {
    const measure = service.script.measure;
    let measuredCount = 0;
    service.script.measure = async () => {
      measuredCount += 1;
      await wait(60);
      return measured;
    };
    const sent = https.request(`${listening.url}/v3/predict/stream`, { method: "POST", ca: authority, headers: { "x-api-key": service.key, "content-type": "application/json" } });
    sent.on("error", () => undefined).end(JSON.stringify({ images: Array(10).fill(image) }));
    const [response] = (await once(sent, "response")) as [http.IncomingMessage];
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      if (text.includes("event: photo")) break;
    }
    sent.destroy();
    while (service.context.queue.size > 0) await wait(10);
    expect(measuredCount).toBeLessThan(10);
    expect(charges()).toEqual([]);
    service.script.measure = measure;
  });
  it("hears a comment while it waits", async () => {
    const measure = service.script.measure;
    service.script.measure = async () => wait(350).then(() => measured);
    const { body } = await request("/v3/predict/stream", { method: "POST", body: JSON.stringify({ images: [image] }) });
    expect(body).toMatch(/processing_started[^]*\n\n: waiting\n\n[^]*event: photo[^]*event: summary/);
    service.script.measure = measure;
  });
  it("after the charge and before the answer gets the charge back", async () => {
    const before = charges().length;
    // The answer cannot be written: the connection breaks in the moment of the charge.
    const { db } = service.context;
    const sent = https.request(`${listening.url}/v3/predict`, { method: "POST", ca: authority, headers: { "x-api-key": service.key, "content-type": "application/json" } });
    sent.on("error", () => undefined);
    service.app.server.once("request", (_request, response: http.ServerResponse) => {
      const { writeHead } = response;
      response.writeHead = ((...args: Parameters<typeof writeHead>) => {
        response.socket?.destroy();
        return Reflect.apply(writeHead, response, args);
      }) as typeof writeHead;
    });
    sent.end(JSON.stringify({ image }));
    while (charges().length < before + 2) await wait(10);
    expect(charges().slice(before)).toEqual(["charge", "reversal"]);
    expect(listUndelivered(db)).toEqual([]);
  });
});

describe("a port that is taken", () => {
  it("is said in words", async () => {
    const other = await openScriptedService({ credentials, configuredHosts: [], limits });
    await expect(listen(other.app, { port: listening.port })).rejects.toThrow(`Port ${listening.port} is in use by another program`);
    await other.close();
  });
});

describe("closing", () => {
  it("lets what is in flight finish and refuses what is new", async () => {
    const other = await openScriptedService({ credentials, configuredHosts: [], limits });
    const there = await listen(other.app, { port: 0 });
    other.script.measure = async () => wait(300).then(() => measured);
    const answer = fetchWith(there.url, other.key);
    while (other.context.queue.size === 0) await wait(5);
    const closed = there.close(5000);
    expect((await answer).status).toBe(200);
    await closed;
    await expect(fetchWith(there.url, other.key)).rejects.toThrow(/ECONNREFUSED/);
    await other.close();
  });
});

function fetchWith(url: string, key: string): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const sent = https.request(`${url}/v3/predict`, { method: "POST", agent: false, ca: authority, headers: { "x-api-key": key, "content-type": "application/json" } }, (response) => {
      response.resume().once("end", () => resolve({ status: response.statusCode ?? 0 }));
    });
    sent.on("error", reject).end(JSON.stringify({ image }));
  });
}
