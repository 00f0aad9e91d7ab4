import { once } from "node:events";
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { FastifyInstance, InjectOptions } from "fastify";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { desktopChannels } from "../../../core/contract/desktop.ts";
import { registerDesktopRoutes } from "../../../main/ipc/http-transport.ts";
import { createPageSessions, readSignInPath, signInTokenFile } from "../../../main/ipc/page/page-sessions.ts";
import { buildServer } from "../../../main/server/build-server.ts";
import { concurrentFilms } from "../../../main/services/measuring/work-queue.ts";
import { smallPicture } from "../../fixtures/desktop-bench.ts";
import { useBench } from "../../fixtures/use-bench.ts";
import { measured } from "../store/sample-store.ts";
import { waitFor } from "../../fixtures/patience.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const bench = useBench();
let app: FastifyInstance;
const pageDir = folderForEach();
let signInPath: () => string;

beforeEach(async () => {
  bench.engine.answers(measured);
  mkdirSync(path.join(pageDir(), "assets"));
  writeFileSync(path.join(pageDir(), "index.html"), "<!doctype html><title>Corvet</title>");
  writeFileSync(path.join(pageDir(), "assets", "main-1234.js"), "void 0;");
  app = buildServer(bench.context, {
    credentials: null,
    isPlainHttpAllowed: true,
    configuredHosts: [],
    routeGroups: [
      async (server) => void ({ signInPath } = await registerDesktopRoutes(server, bench.desktop, pageDir())),
    ],
  });
  await app.ready();
});
afterEach(async () => {
  await app.close();
});

const ownPage = { host: "localhost", "sec-fetch-site": "same-origin" };
const ask = (options: InjectOptions) => app.inject({ ...options, headers: { ...ownPage, ...options.headers } });
const call = (channel: string, payload: unknown, headers: Record<string, string> = {}) =>
  ask({
    method: "POST",
    url: `/app/call/${channel}`,
    payload: JSON.stringify(payload),
    headers: { "content-type": "application/json", ...headers },
  });

const sendFilm = (query: string, payload: string | Buffer, headers: Record<string, string>) =>
  ask({ method: "PUT", url: `/app/films?${query}`, payload, headers });

async function signIn(): Promise<Record<string, string>> {
  const token = signInPath().slice("/#t=".length);
  const response = await ask({
    method: "POST",
    url: "/app/sign-in",
    payload: JSON.stringify({ token }),
    headers: { "content-type": "application/json" },
  });
  expect(response.statusCode).toBe(200);
  return { cookie: String(response.headers["set-cookie"]).split(";")[0]! };
}

describe("sign-in", () => {
  it("exchanges the printed token once for a cookie that scripts and other sites cannot use", async () => {
    const token = signInPath().slice("/#t=".length);
    const body = { method: "POST", url: "/app/sign-in", payload: JSON.stringify({ token }) } as const;
    const response = await ask(body);
    expect(response.headers["set-cookie"]).toMatch(
      /^__Host-corvet-[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=2592000$/,
    );
    expect((await ask(body)).json()).toMatchObject({ ok: false, code: "NOT_SIGNED_IN" });
    expect(signInPath()).not.toContain(token);
  });

  it("reports and logs a session that could not be stored, and keeps the token valid", async () => {
    const printed = signInPath();
    const body = JSON.stringify({ token: printed.slice("/#t=".length) });
    const post = () => ask({ method: "POST", url: "/app/sign-in", payload: body });
    const inTheWay = path.join(bench.dataDir, "page-sessions.json.new");
    mkdirSync(inTheWay);
    const response = await post();
    expect([response.statusCode, response.json().code]).toEqual([500, "INTERNAL"]);
    expect(bench.logged.filter((line) => line.startsWith("a call of the page failed"))).toHaveLength(1);
    expect((await bench.call("audit.list", { actions: ["page.refused"] })).events).toEqual([]);
    expect(signInPath()).toBe(printed);
    rmdirSync(inTheWay);
    const both = await Promise.all([post(), post()]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
  });

  it("stores the token for a second start in a file that only the user can read, and deletes it on close", async () => {
    expect(readSignInPath(bench.dataDir)).toBe(signInPath());
    expect(statSync(signInTokenFile(bench.dataDir)).mode & 0o777).toBe(0o600);
    await bench.close();
    expect(() => statSync(signInTokenFile(bench.dataDir))).toThrow();
  });

  it("expires after 30 days", async () => {
    const cookie = await signIn();
    bench.setNow(new Date(Date.UTC(2026, 11, 20)));
    expect((await call("films.queue", {}, cookie)).statusCode).toBe(200);
    bench.setNow(new Date(Date.UTC(2026, 11, 22)));
    expect((await call("films.queue", {}, cookie)).statusCode).toBe(401);
  });

  it.each([
    ["damaged", (file: string) => writeFileSync(file, "{")],
    ["unreadable", (file: string) => mkdirSync(file)],
  ])("reports the loss of sessions whose file is %s", (_how, spoil) => {
    const file = path.join(bench.dataDir, "page-sessions.json");
    spoil(file);
    createPageSessions(bench.context).close();
    expect(bench.faults).toMatchObject([{ code: "NOT_SIGNED_IN", message: expect.stringContaining(file) as string }]);
  });

  it("is revoked for one browser or for all, with an audit event", async () => {
    const browsers = [await signIn(), await signIn(), await signIn()] as const;
    const standings = async () =>
      await Promise.all(browsers.map(async (cookie) => (await call("films.queue", {}, cookie)).statusCode));
    expect((await call("session.forgetBrowser", {}, browsers[0])).statusCode).toBe(200);
    expect(await standings()).toEqual([401, 200, 200]);
    expect((await call("session.forgetBrowser", { isEveryOne: true }, browsers[1])).statusCode).toBe(200);
    expect(await standings()).toEqual([401, 401, 401]);
    const { events } = await bench.call("audit.list", { actions: ["session.signed_out"] });
    expect(events.map(({ detail }) => detail)).toEqual([{ isEveryOne: true }, { isEveryOne: false }]);
  });

  it("rejects any other body than the token", async () => {
    for (const payload of ["{", "", '{"token":5}', '{"token":"no"}', JSON.stringify({ token: "x".repeat(3000) })]) {
      const response = await ask({ method: "POST", url: "/app/sign-in", payload });
      expect([response.statusCode, response.json().code], payload).toEqual([401, "NOT_SIGNED_IN"]);
    }
  });
});

describe("everything below /app", () => {
  const urls = [
    ["POST", "/app/call/films.list"],
    ["PUT", "/app/films?name=a"],
    ["GET", "/app/films/x/pixels"],
    ["GET", "/app/events"],
    ["PUT", "/app/packs"],
    ["GET", "/app/exports/x"],
    ["GET", "/app/nothing"],
  ] as const;

  it("requires a session", async () => {
    const cookie = "__Host-corvet-00000000=x; other=1";
    for (const [method, url] of urls)
      for (const headers of [{}, { cookie }]) {
        const response = await ask({ method, url, payload: "{}", headers });
        expect([response.statusCode, response.json().code], url).toEqual([401, "NOT_SIGNED_IN"]);
      }
  });

  it("rejects requests of other pages, even with the cookie", async () => {
    const cookie = await signIn();
    for (const site of ["cross-site", "same-site", "none"]) {
      const response = await call("films.queue", {}, { ...cookie, "sec-fetch-site": site });
      expect([response.statusCode, response.json().code]).toEqual([403, "FOREIGN_SENDER"]);
    }
    const old = { method: "POST", url: "/app/call/films.queue", payload: "{}" } as const;
    const statusFrom = async (origin: string) =>
      (await app.inject({ ...old, headers: { ...cookie, host: "localhost", origin } })).statusCode;
    expect(await statusFrom("https://evil.example")).toBe(403);
    expect(await statusFrom("null")).toBe(403);
    expect(await statusFrom("http://localhost")).toBe(200);
  });

  it("responds 405 to a wrong method and 404 to an unknown path", async () => {
    const cookie = await signIn();
    expect((await ask({ method: "GET", url: "/app/films", headers: cookie })).statusCode).toBe(405);
    expect((await ask({ method: "GET", url: "/app/elsewhere", headers: cookie })).statusCode).toBe(404);
  });
});

describe("calls", () => {
  it("return a failure in the same format from every channel for any invalid input", async () => {
    const cookie = await signIn();
    for (const [index, channel] of desktopChannels.entries()) {
      const odd = ["null", '{"filmId":{}}', '{"unknown":1}'];
      const ofAny = ["", "[", "[]", '"x"', "5", `{"search":${"9".repeat(400)}}`];
      for (const payload of index === 0 ? [...odd, ...ofAny] : odd) {
        const headers = { ...cookie, "content-type": "application/json" };
        const answer = (await ask({ method: "POST", url: `/app/call/${channel}`, payload, headers })).json();
        expect(answer, `${channel} ${payload}`).toMatchObject({ ok: false });
        expect(["INVALID_FIELD", "INVALID_JSON"], `${channel} ${payload} ${answer.message}`).toContain(answer.code);
      }
    }
    expect((await call("films.destroy", {}, cookie)).json()).toMatchObject({ ok: false, code: "NOT_FOUND" });
    expect((await call("__proto__", {}, cookie)).json()).toMatchObject({ ok: false, code: "NOT_FOUND" });
    expect(bench.logged).toEqual([]);
  });

  it("are refused before they are read if they exceed a megabyte", async () => {
    const cookie = await signIn();
    expect((await call("films.list", { search: "x".repeat(1024 * 1024) }, cookie)).json()).toMatchObject({
      ok: false,
      code: "BODY_TOO_LARGE",
    });
  });
});

describe("films", () => {
  it("are uploaded, and served as thumbnail and grey pixels", async () => {
    const cookie = await signIn();
    const file = await sharp({ create: { width: 700, height: 500, channels: 3, background: "#808080" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const headers = { ...cookie, "content-type": "image/jpeg" };
    const response = await sendFilm("name=Rex%20lateral.jpg&origin=paste", file, headers);
    const [{ film, isNew }] = response.json().value.films;
    expect(film).toMatchObject({ fileName: "Rex lateral.jpg", origin: "paste", widthPx: 500, heightPx: 700 });
    expect(isNew).toBe(true);
    const get = (url: string) => ask({ method: "GET", url, headers: cookie });
    const thumbnail = await get(film.urls.thumbnail);
    expect(thumbnail.headers["content-type"]).toBe("image/jpeg");
    expect((await sharp(thumbnail.rawPayload).metadata()).height).toBe(320);
    const pixels = await get(film.urls.pixels);
    const described = { "x-width": "500", "x-height": "700", "x-bits": "8", "cache-control": "no-store" };
    expect(pixels.headers).toMatchObject(described);
    expect(pixels.rawPayload.length).toBe(350_000);
    expect(Math.abs(pixels.rawPayload[1000]! - 128)).toBeLessThan(3);
    expect(film.urls.rectified).toBeNull();
    expect((await get(`/app/films/${film.id}/rectified`)).statusCode).toBe(404);
  });

  it("are served with the bit depth of the file", async () => {
    const cookie = await signIn();
    const samples = Uint16Array.from({ length: 64 * 48 }, (_, index) => index * 21);
    const file = await sharp(samples, { raw: { width: 64, height: 48, channels: 1 } })
      .toColourspace("grey16")
      .png()
      .toBuffer();
    const [{ film }] = (await sendFilm("name=deep.png", file, cookie)).json().value.films;
    const pixels = await ask({ method: "GET", url: film.urls.pixels, headers: cookie });
    expect(pixels.headers["x-bits"]).toBe("16");
    const got = new Uint16Array(new Uint8Array(pixels.rawPayload).buffer);
    expect(got).toEqual(samples);
  });

  it("must be images, or the response contains a fault with the reason", async () => {
    const cookie = await signIn();
    const response = await sendFilm("name=letter.docx", "hello", cookie);
    const fault = {
      name: "letter.docx",
      code: "UNSUPPORTED_IMAGE",
      message: "Films are JPEG, PNG or DICOM; this file is none of them",
      reason: { name: "fileIsNoFilm", values: {} },
    };
    expect(response.json()).toEqual({ ok: true, value: { films: [], faults: [fault], leftAlone: [] } });
    const leftAlone = await sendFilm("name=letter.docx&within=folder", "hello", cookie);
    expect(leftAlone.json()).toMatchObject({
      ok: true,
      value: { films: [], faults: [], leftAlone: [{ name: "letter.docx", reason: { name: "fileIsNoFilm" } }] },
    });
  });

  it("are not served after they were removed from the worklist", async () => {
    const cookie = await signIn();
    const [{ film }] = (await sendFilm("name=a.png", await smallPicture(1), cookie)).json().value.films;
    await bench.call("films.remove", { filmIds: [film.id] });
    expect((await ask({ method: "GET", url: film.urls.pixels, headers: cookie })).statusCode).toBe(404);
  });
});

const count = (server: FastifyInstance) =>
  new Promise<number>((resolve, reject) =>
    server.server.getConnections((error, connections) => (error ? reject(error) : resolve(connections))),
  );

describe("a page that is connected over a socket", () => {
  const open = async (
    options: { method: string; path: string; headers: Record<string, string> },
    body?: Buffer,
  ): Promise<IncomingMessage> => {
    if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
    const address = app.server.address();
    const request = httpRequest({
      host: "127.0.0.1",
      port: typeof address === "object" ? address!.port : 0,
      ...options,
      headers: { ...ownPage, ...options.headers },
    });
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  };

  it("may disconnect at any moment without an error in the log", async () => {
    const cookie = await signIn();
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    bench.engine.hold();
    const picture = await smallPicture(1, "jpeg");
    const put = (path: string) => {
      const headers = { ...ownPage, ...cookie, "content-length": picture.length };
      return httpRequest({ host: "127.0.0.1", port, method: "PUT", path, headers }).on("error", () => undefined);
    };
    const send = async (path: string) => {
      const before = bench.context.queue.size;
      const request = put(path).end(picture);
      await waitFor(() => expect(bench.context.queue.size).toBe(before + 1));
      return request;
    };
    const sessions = await Promise.all(
      Array.from({ length: concurrentFilms }, () => bench.call("capture.start", { patientId: null })),
    );
    // The queue measures its maximum, one request waits, and another is incomplete.
    const requests = [];
    for (const { sessionId } of sessions) requests.push(await send(`/app/capture/frames?session=${sessionId}`));
    requests.push(await send("/app/capture/corners"));
    const half = put("/app/capture/corners");
    half.write(picture.subarray(0, 100));
    await waitFor(() => expect(half.socket?.connecting).toBe(false));
    for (const request of [...requests, half]) request.destroy();
    await waitFor(() => expect(bench.context.queue.size).toBe(0));
    bench.engine.release();
    await waitFor(async () => expect(await count(app)).toBe(0));
    expect(bench.logged).toEqual([]);
  });

  it("receives events as they happen until it disconnects", async () => {
    const cookie = await signIn();
    const stream = await open({ method: "GET", path: "/app/events", headers: cookie });
    expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    let text = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await open({ method: "PUT", path: "/app/films?name=live.png", headers: cookie }, await smallPicture(9));
    await waitFor(() => expect(text).toContain('"state":"done"'));
    const names = text
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)).name);
    expect(new Set(names)).toEqual(new Set(["film.changed"]));
    stream.destroy();
    await waitFor(() => expect(app.openResponses.size).toBe(0));
    bench.desktop.context.raise({ name: "events.missed", payload: {} });
    expect(bench.logged).toEqual([]);
  });

  it("has its event stream closed when the program ends", async () => {
    const cookie = await signIn();
    const stream = await open({ method: "GET", path: "/app/events", headers: cookie });
    const ended = once(stream.resume(), "end");
    await app.close();
    await ended;
  });
});

describe("the page", () => {
  it("does not add its requests to the request log", async () => {
    await signIn();
    await app.inject({ url: "/", headers: { host: "localhost" } });
    await app.inject({ url: "/v3/health", headers: { host: "localhost" } });
    expect(app.recentRequests.map((entry) => entry.route)).toEqual(["/v3/health"]);
  });

  it("is served with a policy that allows only its own files", async () => {
    const page = await app.inject({ url: "/", headers: { host: "localhost" } });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    });
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe-|\*|https?:/);
    const script = await app.inject({ url: "/assets/main-1234.js", headers: { host: "localhost" } });
    expect(script.payload).toBe("void 0;");
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  it("has no other files", async () => {
    for (const url of [
      "/package.json",
      "/assets/../index.html",
      "/assets/%2e%2e/%2e%2e/etc/passwd",
      "/assets/..%2findex.html",
      "/..%5c..%5cetc",
      "/index.html%00.js",
    ]) {
      const response = await app.inject({ url, headers: { host: "localhost" } });
      expect(response.payload, url).not.toContain("root:");
      expect([404, 400, 200], url).toContain(response.statusCode);
      if (response.statusCode === 200)
        expect(response.payload, url).toBe(readFileSync(path.join(pageDir(), "index.html"), "utf8"));
    }
  });

  it("has no file for a path that is no URL", async () => {
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    const request = httpRequest({ host: "127.0.0.1", port, path: "/\\", headers: { host: "localhost" } }).end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(404);
  });

  it("is replaced by 503 with a hint if it has not been built", async () => {
    rmSync(path.join(pageDir(), "index.html"));
    rmSync(path.join(pageDir(), "assets"), { recursive: true });
    const bare = buildServer(bench.context, {
      credentials: null,
      isPlainHttpAllowed: true,
      configuredHosts: [],
      routeGroups: [async (server) => void (await registerDesktopRoutes(server, bench.desktop, pageDir()))],
    });
    const response = await bare.inject({ url: "/", headers: { host: "localhost" } });
    expect([response.statusCode, response.payload]).toEqual([503, "The page has not been built. Run: npm run build\n"]);
    await bare.close();
  });
});
