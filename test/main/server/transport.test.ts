import { execFile } from "node:child_process";
import { once } from "node:events";
import { truncateSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { networkInterfaces } from "node:os";
import path from "node:path";
import tls from "node:tls";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { startCertificateRenewal } from "../../../main/composition/certificate-renewal.ts";
import { listen } from "../../../main/server/listen.ts";
import { certificateTime } from "../../../main/server/tls/certificate-time.ts";
import { ensureTlsCredentials } from "../../../main/server/tls/tls.ts";
import { transaction } from "../../../main/store/engines/engine.ts";
import { listLedgerEvents } from "../../../main/store/ledger/ledger-reports.ts";
import { listUndelivered } from "../../../main/store/ledger/undelivered-charges.ts";
import { measured } from "../store/sample-store.ts";
import { endlessLimits, useListeningService } from "./service/listening-service.ts";
import { plainImage } from "./service/sample-images.ts";
import { openScriptedService, untilAborted } from "./service/scripted-service.ts";
import { folderForFile } from "../../fixtures/folders.ts";

const run = promisify(execFile);
const configuredHosts = ["clinic.example"];
const { service, listening, credentials, authority, openAgain } = useListeningService({ configuredHosts });
const largeFile = path.join(folderForFile(), "large.bin");
let image: string;

beforeAll(async () => {
  image = await plainImage();
  writeFileSync(largeFile, "");
  truncateSync(largeFile, 200_000_000);
});

function request(
  pathname: string,
  options: https.RequestOptions & { body?: string } = {},
): Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": service.key, "content-type": "application/json", ...rest.headers };
    const sent = https.request(`${listening.url}${pathname}`, { ca: authority(), ...rest, headers }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk: string) => (text += chunk))
        .on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    sent.on("error", reject).end(body);
  });
}

const connect = () => tls.connect({ port: listening.port, host: "127.0.0.1", ca: authority() });

/** Sends text over a new connection. @returns the first bytes of the response */
async function answerTo(sent: string): Promise<string> {
  const socket = connect();
  socket.write(sent);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString();
}

const curl = async (...args: readonly string[]) =>
  (await run("curl", ["-sS", "--cacert", credentials.authorityPath, ...args])).stdout;

/** Sends parts of 1 MB without reading in between. @returns the first bytes of the response */
async function answerAfterSending(socket: net.Socket, head: string, bytes: number): Promise<string> {
  let fault: Error | null = null;
  socket.on("error", (error) => (fault = error));
  socket.write(head);
  const part = Buffer.alloc(1_000_000, "A");
  for (let sent = 0; sent < bytes && fault === null; sent += part.length)
    await new Promise<void>((done) => void socket.write(part, () => done()));
  expect(fault).toBeNull();
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString();
}

const charges = async () =>
  [...(await listLedgerEvents(service.context.db, {}))].sort((a, b) => a.seq - b.seq).map(({ kind }) => kind);

describe("TLS", () => {
  it("accepts curl, which trusts the authority, under every name", async () => {
    const options = ["-o", "/dev/null", "-w", "%{http_code}", "-H", `x-api-key: ${service.key}`];
    const resolve = ["--resolve", `clinic.example:${listening.port}:127.0.0.1`];
    for (const host of ["localhost", "127.0.0.1", "clinic.example"])
      expect(await curl(...options, ...resolve, `https://${host}:${listening.port}/v3/health`), host).toBe("200");
  });
  it("is rejected by a client that does not trust the authority", async () => {
    await expect(request("/v3/health", { ca: undefined })).rejects.toThrow(/certificate/);
  });
  it("listens on ::1 if the computer supports IPv6", async ({ skip }) => {
    const probe = net.connect(listening.port, "::1");
    const outcome = await Promise.race([
      once(probe, "connect").then(() => "connected"),
      once(probe, "error").then(() => "none"),
    ]).catch(() => "none");
    probe.destroy();
    skip(outcome === "none", "this computer has no IPv6 loopback");
    expect(await request("/v3/health", { host: "::1", hostname: "::1", port: listening.port })).toMatchObject({
      status: 200,
    });
  });
  it("rejects TLS 1.1", async () => {
    const socket = tls.connect({
      port: listening.port,
      host: "127.0.0.1",
      ca: authority(),
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    expect((await once(socket, "error").catch((error: Error) => [error]))[0]).toBeInstanceOf(Error);
  });
});

describe("a certificate", () => {
  const fingerprint = async () => {
    const socket = tls.connect({ port: listening.port, host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const renew = async () => {
    const time = await certificateTime(service.context);
    listening.useCertificates(await ensureTlsCredentials(service.context.dataDir, configuredHosts, time));
  };

  it("is used by the next connection after a renewal, without a restart", async () => {
    const before = await fingerprint();
    await renew();
    expect(await fingerprint()).not.toBe(before);
  });

  it("is replaced if it was created while the clock was ahead, once the clock is correct", async () => {
    const right = new Date(service.clock.at);
    await renew();
    const before = await fingerprint();
    const renewed: boolean[] = [];
    const renewal = startCertificateRenewal(service.context, configuredHosts, (made) => {
      listening.useCertificates(made);
      renewed.push(made.isAuthorityReplaced);
    });
    await renewal.check();
    expect([renewed, await fingerprint()]).toEqual([[], before]);
    service.clock.at = new Date(Date.UTC(right.getUTCFullYear() + 2, 0, 1));
    await renew();
    const ahead = await fingerprint();
    await renewal.check();
    expect([renewed, await fingerprint()]).toEqual([[false], ahead]);
    service.clock.at = right;
    await renewal.check();
    expect([renewed, [before, ahead].includes(await fingerprint())]).toEqual([[false, false], false]);
    await renewal.stop();
  });

  it("is not renewed while the clock is behind the last row of the ledger", async () => {
    const right = new Date(service.clock.at);
    await renew();
    const before = await fingerprint();
    expect((await service.post("/v3/predict", { image })).body["billing"]).toMatchObject({ billable: true });
    service.clock.at = new Date(Date.UTC(2000, 0, 1));
    await renew();
    expect(await fingerprint()).toBe(before);
    expect((await service.post("/v3/predict", { image })).body["billing"]).toMatchObject({ reason: "billing_error" });
    service.clock.at = right;
  });
});

describe("plain HTTP on the same port", () => {
  it("is redirected to https with 308, with the same method and path", async () => {
    const response = await fetch(`http://localhost:${listening.port}/v3/predict?x=1`, {
      method: "POST",
      body: "{}",
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([
      308,
      `https://localhost:${listening.port}/v3/predict?x=1`,
    ]);
  });
  it("is redirected even if the client sends 20 MB before it reads", async () => {
    const socket = net.connect(listening.port, "127.0.0.1");
    const head = "POST /v3/predict HTTP/1.1\r\nHost: localhost\r\ncontent-length: 20000000\r\n\r\n";
    expect(await answerAfterSending(socket, head, 20_000_000)).toMatch(/^HTTP\/1\.1 308 /);
  });
  it("is not redirected to a host that the caller chooses", async () => {
    const [response] = (await once(
      http.get({ port: listening.port, host: "127.0.0.1", headers: { host: "attacker.example" } }),
      "response",
    )) as [http.IncomingMessage];
    expect(response.statusCode).toBe(421);
  });
  it("uses the authority of an absolute target, and the error format of the addressed service", async () => {
    const ask = async (target: string, host: string) => {
      const socket = net.connect(listening.port, "127.0.0.1").end(`GET ${target} HTTP/1.1\r\n${host}\r\n\r\n`);
      let text = "";
      for await (const chunk of socket.setEncoding("utf8")) text += chunk;
      return {
        status: Number(text.split(" ")[1]),
        location: /^location: (.*)$/im.exec(text)?.[1]?.trim(),
        body: text.split("\r\n\r\n")[1],
      };
    };
    expect(await ask("http://localhost/v3/health?x=1", "Host: localhost")).toMatchObject({
      status: 308,
      location: "https://localhost/v3/health?x=1",
    });
    expect(await ask("http://127.0.0.1:81/v3/health", "Host: attacker.example")).toMatchObject({
      status: 308,
      location: "https://127.0.0.1:81/v3/health",
    });
    expect(await ask("http://attacker.example/usg/v1/health", "Host: localhost")).toMatchObject({
      status: 421,
      body: '{"error":{"code":"wrong_host","message":"Host not allowed"}}',
    });
    expect(await ask("/v3/health", "Accept: */*")).toEqual({
      status: 421,
      location: undefined,
      body: '{"error":"Host not allowed"}',
    });
    expect(await ask("/usg/v1/health", "Host: attacker.example")).toMatchObject({
      status: 421,
      body: '{"error":{"code":"wrong_host","message":"Host not allowed"}}',
    });
  });
});

function holdMeasuring(): { readonly release: () => void } {
  const heldMeasurement = Promise.withResolvers<MeasuredRadiograph>();
  service.script.measure = () => heldMeasurement.promise;
  return { release: () => heldMeasurement.resolve(measured) };
}

describe("malformed and slow requests", () => {
  it("responds to invalid HTTP in the usual error format", async () => {
    expect(await answerTo("HELLO\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 [^]*\r\n\r\n\{"error":"Malformed HTTP request"\}$/,
    );
  });
  it("responds 431 to headers over 16 KiB in the usual error format, however much data follows", async () => {
    const headers = Array.from({ length: 3000 }, (_, index) => `h${index}: 1`).join("\r\n");
    const answer = await answerTo(`GET /v3/health HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 [^]*\{"error":"Request headers too large"\}$/);
  });
  it("uses the error format and CORS headers of /usg/v1 below that path, if the path was received", async () => {
    await openAgain({
      limits: { ...endlessLimits, requestTimeoutMs: 700, checkIntervalMs: 100 },
      routeGroups: [(app) => void app.post("/usg/v1/predict", () => "read to its end")],
    });
    /** @returns the response to the last of the requests */
    const ask = async (...requests: readonly string[]) => {
      const socket = connect();
      let answer = "";
      for (const request of requests) {
        socket.write(request);
        answer = String(((await once(socket, "data")) as [Buffer])[0]);
      }
      return answer;
    };
    const long = "a".repeat(20_000);
    const [timedOut, silent, malformed, longHeader, longAddress, second] = await Promise.all([
      ask(
        `POST /usg/v1/predict HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${service.key}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"`,
      ),
      ask("POST /usg/v1/predict HTTP/1.1"),
      ask("GET /usg/v1/health HTTP/1.1\r\nno header\r\n\r\n"),
      ask(`POST /usg/v1/predict HTTP/1.1\r\nHost: localhost\r\nlong: ${long}\r\n\r\n`),
      ask(`GET /usg/v1/${long} HTTP/1.1\r\n\r\n`),
      ask("GET /v3/health HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /usg/v1/health HTTP/1.1"),
    ]);
    const ends = (status: number, code: string, message: string) =>
      new RegExp(
        `^HTTP/1\\.1 ${status} [^]*access-control-allow-origin: \\*\r[^]*\\{"error":\\{"code":"${code}","message":"${message}"\\}\\}$`,
      );
    expect(timedOut).toMatch(ends(408, "internal_error", "Request timed out"));
    expect(silent).toMatch(ends(408, "internal_error", "Request timed out"));
    expect(second).toMatch(ends(408, "internal_error", "Request timed out"));
    expect(malformed).toMatch(ends(400, "invalid_payload", "Malformed HTTP request"));
    expect(longHeader).toMatch(ends(431, "invalid_payload", "Request headers too large"));
    expect(longAddress).toMatch(ends(431, "invalid_payload", "Request headers too large"));
  });
  it("rejects a request without Host like one with a wrong Host", async () => {
    const answer = await answerTo(`GET /v3/health HTTP/1.1\r\nx-api-key: ${service.key}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 421 [^]*\{"error":"Host not allowed"\}$/);
  });
  it.each([
    ["https://localhost/v3/health", "Host: attacker.example", 200],
    ["HTTPS://[::1]:8443/v3/health?x=1", "Accept: */*", 200],
    ["https://attacker.example/v3/health", "Host: localhost", 421],
    ["https://user@localhost/v3/health", "Host: localhost", 421],
    ["https://localhost/v3/health", "Host: localhost\r\nHost: localhost", 400],
  ])("checks the authority of the target %s with %j: %i", async (target, header, status) => {
    const rest = `${header}\r\nx-api-key: ${service.key}\r\nconnection: close\r\n\r\n`;
    expect(Number((await answerTo(`GET ${target} HTTP/1.1\r\n${rest}`)).split(" ")[1])).toBe(status);
  });
  it("ignores unknown expectations and sends 100 Continue only for an authorized request", async () => {
    const statuses = async (line: string, key: string, version = "1.1") => {
      const socket = connect();
      socket.write(
        `POST /v3/pop-session/start HTTP/${version}\r\nHost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n${line}\r\n\r\n{}`,
      );
      let text = "";
      for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
      return text.match(/(?<=^HTTP\/1\.1 )\d+/gm);
    };
    expect([
      await statuses("Expect: a-reply", service.key),
      await statuses("Expect: 100-Continue", service.key),
      await statuses("Expect: 100-continue", "wrong"),
    ]).toEqual([["200"], ["100", "200"], ["403"]]);
    expect(await statuses("Expect: 100-continue", service.key, "1.0")).toEqual(["200"]);
  });
  it("responds 408 to a body that never ends and releases its memory", async () => {
    await openAgain({ limits: { ...endlessLimits, requestTimeoutMs: 700, checkIntervalMs: 100, bodiesBytes: 5000 } });
    const socket = connect();
    socket.write(
      `POST /v3/predict HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${service.key}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"image":"`,
    );
    const drip = setInterval(() => socket.writable && socket.write("A"), 50);
    const [answer] = (await once(
      socket.on("error", () => undefined),
      "data",
    )) as [Buffer];
    clearInterval(drip);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*\{"error":"Request timed out"\}$/);
    while (service.app.openResponses.size > 0) await wait(5);
    expect((await service.post("/v3/predict", { padding: "x".repeat(4900) })).body).toEqual({
      error: "Missing required field: image",
    });
  });
  it("responds 413 to a client that sends 20 MB before it reads", async () => {
    const json = "content-type: application/json\r\ncontent-length: 20000000";
    const head = `POST /v3/corners HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${service.key}\r\n${json}\r\n\r\n`;
    expect(await answerAfterSending(connect(), head, 20_000_000)).toMatch(/^HTTP\/1\.1 413 /);
  });
  it("refuses a body of 200 MB, and a body with a wrong key, before it is read", async () => {
    const output = ["-X", "POST", "-w", " %{http_code} %{size_upload}", "-H", "content-type: application/json"];
    // curl waits for 100 Continue before it sends a large body, but by default only for one second.
    const body = ["--expect100-timeout", "60", "-T", largeFile, `${listening.url}/v3/predict`];
    const send = (key: string) => curl(...output, "-H", `x-api-key: ${key}`, ...body);
    expect(await send(service.key)).toBe('{"error":"Request body too large"} 413 0');
    expect(await send("wrong")).toBe('{"error":"Invalid API key"} 403 0');
  });
  /** Opens connections, every fifth with TLS, each of which sends one byte of its request every 200 ms. */
  const openSlowly = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const socket = index % 5 !== 0 ? net.connect(listening.port, "127.0.0.1") : connect();
      const [first = "", ...others] = "GET /v3/health HTTP/1.1\r\n";
      const drip = setInterval(() => socket.writable && socket.write(others.shift() ?? "x"), 200);
      socket.on("error", () => undefined).once("close", () => clearInterval(drip));
      socket.write(first);
      return socket;
    });
  const gone = async (socket: net.Socket) => {
    if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  };
  it("serves other requests while a hundred connections send single bytes", async () => {
    const slow = openSlowly(100);
    await Promise.all(
      slow.map((socket) => once(socket, socket instanceof tls.TLSSocket ? "secureConnect" : "connect")),
    );
    expect([(await request("/v3/health")).status, slow.filter((socket) => socket.destroyed).length]).toEqual([200, 0]);
    for (const socket of slow) socket.destroy();
  });
  it("closes a hundred connections that send single bytes after the limits", async () => {
    await openAgain({
      limits: { ...endlessLimits, handshakeTimeoutMs: 400, headersTimeoutMs: 400, checkIntervalMs: 100 },
    });
    let accepted = 0;
    service.app.server.on("connection", () => (accepted += 1));
    await Promise.all(openSlowly(100).map(gone));
    expect(accepted).toBe(100);
  });
});

describe("a client that disconnects", () => {
  const send = (path: string, body: object) => {
    const sent = https.request(`${listening.url}${path}`, {
      method: "POST",
      ca: authority(),
      headers: { "x-api-key": service.key, "content-type": "application/json" },
    });
    sent.on("error", () => undefined).end(JSON.stringify(body));
    return sent;
  };
  const untilAtRest = async () => {
    while (service.context.queue.size > 0 || service.app.openResponses.size > 0) await wait(5);
  };
  it("during a stream stops the remaining work and is not charged", async () => {
    let asked = 0;
    service.script.measure = (film, options) => {
      asked += 1;
      return film.widthPx === 80 ? Promise.resolve(measured) : untilAborted(film, options);
    };
    const sent = send("/v3/predict/stream", { images: [await plainImage(80), ...Array(9).fill(image)] });
    const [response] = (await once(sent, "response")) as [http.IncomingMessage];
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      if (text.includes("event: photo")) break;
    }
    sent.destroy();
    await untilAtRest();
    expect(asked).toBeLessThan(10);
    expect(await charges()).toEqual([]);
  });
  it("between the charge and the response gets a reversal", async () => {
    // The connection breaks when the response is about to be written.
    const { db } = service.context;
    service.app.server.once("request", (_request, response: http.ServerResponse) => {
      const { writeHead } = response;
      response.writeHead = ((...args: Parameters<typeof writeHead>) => {
        response.socket?.destroy();
        return Reflect.apply(writeHead, response, args);
      }) as typeof writeHead;
    });
    send("/v3/predict", { image });
    while ((await charges()).length < 2) await wait(5);
    expect(await charges()).toEqual(["charge", "reversal"]);
    expect(await listUndelivered(db)).toEqual([]);
  });
});

describe("a port that is in use", () => {
  it("is named in the error message", async () => {
    const other = await openScriptedService({ credentials });
    await expect(listen(other.app, { port: listening.port })).rejects.toThrow(
      `Port ${listening.port} is in use by another program`,
    );
    await other.close();
  });
});

describe("closing", () => {
  it("finishes requests in flight and refuses new ones", async () => {
    const { release } = holdMeasuring();
    const predict = { method: "POST", agent: false, body: JSON.stringify({ image }) } as const;
    const answer = request("/v3/predict", predict);
    while (service.context.queue.size === 0) await wait(5);
    const closed = listening.close(600_000);
    while (service.app.server.listening) await turn();
    await expect(request("/v3/predict", predict)).rejects.toThrow(/ECONNREFUSED/);
    release();
    expect((await answer).status).toBe(200);
    await closed;
  });
  it("responds 503 to remaining requests, including an incomplete one, without a charge", async () => {
    service.script.measure = untilAborted;
    const answer = request("/v3/predict", { method: "POST", agent: false, body: JSON.stringify({ image }) });
    const half = tls.connect({ port: listening.port, host: "127.0.0.1", servername: "localhost", ca: authority() });
    const head = `POST /v3/predict HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${service.key}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`;
    half.write(head);
    let text = "";
    half.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const ended = once(half, "close");
    while (service.context.queue.size === 0 || service.app.openResponses.size < 2) await wait(5);
    await listening.close(0);
    expect(await answer).toMatchObject({ status: 503, body: '{"error":"The service is being stopped"}' });
    await ended;
    expect(text).toMatch(/^HTTP\/1.1 503 [^]*{"error":"The service is being stopped"}/);
    expect(await charges()).toEqual([]);
  });
  it("reverses the charge of a call that was answered with 503 while it waited for the store", async () => {
    const { context, script } = service;
    const isFree = Promise.withResolvers<null>();
    const held: Promise<unknown>[] = [];
    script.measure = async () => {
      held.push(transaction(context.db, () => isFree.promise));
      vi.spyOn(context, "now");
      return measured;
    };
    const answer = request("/v3/predict", { method: "POST", agent: false, body: JSON.stringify({ image }) });
    // The clock is read immediately before the charge is recorded.
    await expect.poll(() => held.length > 0 && vi.mocked(context.now).mock.calls.length > 0).toBe(true);
    const closed = listening.close(0);
    expect(await answer).toMatchObject({ status: 503, body: '{"error":"The service is being stopped"}' });
    isFree.resolve(null);
    await Promise.all([...held, closed]);
    expect(await charges()).toEqual(["charge", "reversal"]);
    expect(await listUndelivered(context.db)).toEqual([]);
  });
});

describe("connections", () => {
  it("are limited in total for 127.0.0.1 and ::1", async ({ skip }) => {
    const addresses = Object.values(networkInterfaces()).flat();
    if (!addresses.some((address) => address?.address === "::1")) skip("this computer has no ::1");
    await openAgain({ limits: { ...endlessLimits, connections: 4 } });
    const connected = await Promise.all(
      ["127.0.0.1", "::1", "127.0.0.1", "::1"].map(async (host) => {
        const socket = net.connect({ host, port: listening.port });
        await once(socket, "connect");
        return socket;
      }),
    );
    // Once further connections are closed, the service has accepted all four.
    for (const host of ["::1", "127.0.0.1"]) {
      const refused = net.connect({ host, port: listening.port });
      refused.on("error", () => undefined);
      await once(refused, "close");
    }
    expect(connected.map((socket) => socket.destroyed)).toEqual([false, false, false, false]);
    connected.forEach((socket) => socket.destroy());
  });
});
