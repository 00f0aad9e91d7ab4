import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { openScriptedService, untilAborted, type ScriptedService } from "./service/scripted-service.ts";
import { plainImage } from "./service/sample-images.ts";
import { rawly } from "../../fixtures/raw-store.ts";
import { measured } from "../store/sample-store.ts";

const imageLimitBytes = 10 * 1024 * 1024;
let service: ScriptedService;
let image: string;

beforeAll(async () => {
  service = await openScriptedService({ queueLimit: 3 });
  image = await plainImage();
});
afterAll(() => service.close());

const send = (payload: string | Buffer | undefined, headers: Record<string, string> = {}, url = "/v3/predict") =>
  service.app.inject({
    method: "POST",
    url,
    headers: { "x-api-key": service.key, "content-type": "application/json", ...headers },
    ...(payload !== undefined && { payload }),
  });

async function expectError(response: ReturnType<typeof send>, status: number, error: string | RegExp): Promise<void> {
  const { statusCode, body, headers } = await response;
  const parsed = JSON.parse(body) as { error: string };
  expect({ statusCode, members: Object.keys(parsed), type: headers["content-type"] }).toEqual({
    statusCode: status,
    members: ["error"],
    type: "application/json; charset=utf-8",
  });
  if (typeof error === "string") expect(parsed.error).toBe(error);
  else expect(parsed.error).toMatch(error);
}

describe("invalid bodies", () => {
  it("treats an empty body as missing only when a capture session starts", async () => {
    const start = async (headers: Record<string, string>, payload?: string) =>
      (await send(payload, headers, "/v3/pop-session/start")).statusCode;
    expect([
      await start({ "content-length": "0" }),
      await start({ "transfer-encoding": "chunked" }),
      await start({}, "{}"),
      await start({}, " "),
    ]).toEqual([200, 200, 200, 400]);
    await expectError(send(undefined, { "content-length": "0" }), 400, /JSON/);
  });
  it("rejects JSON with an unknown escape deep within a long string, without a charge", async () => {
    const text = `${"A".repeat(70_000)}\\q${"A".repeat(8)}`;
    const before = await rawly(service.context.db, "SELECT seq FROM ledger");
    for (const body of [`{"images":["${image}","${text}"]}`, `{"image":"${image}","note":"${text}"}`])
      await expectError(send(body), 400, "Request body is not valid JSON");
    expect(await rawly(service.context.db, "SELECT seq FROM ledger")).toEqual(before);
  });
  it("rejects a body of only a byte order mark", () =>
    expectError(send(Buffer.from("\uFEFF")), 400, "Request body is not valid JSON"));
  it("rejects a body that is not UTF-8", () => expectError(send(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 400, /UTF-8/));
  it("rejects a body without a content type", () =>
    expectError(send("{}", { "content-type": "" }), 415, "Content-Type must be application/json"));
  it("rejects a compressed body", () =>
    expectError(send("{}", { "content-encoding": "gzip" }), 415, "Content-Encoding must be identity"));
  it("rejects a long body without long strings", () =>
    expectError(send(`{"x":[${"1,".repeat(1_000_000)}1]}`), 413, "Request body too large"));
  it("rejects a long body of many strings", () =>
    expectError(send(`{"x":[${'"",'.repeat(400_000)}""]}`), 413, "Request body too large"));
});

describe("fields", () => {
  it.each<[string, unknown, string]>([
    ["image null", { image: null }, "Invalid field: image must be a string"],
    ["images not an array", { images: "x" }, "Invalid field: images must be an array"],
    ["uuid a number", { image: "YQ==", uuid: 7 }, "Invalid field: uuid must be a string"],
    [
      "uuid longer than a body may hold",
      { image: "YQ==", uuid: "x".repeat(70_000) },
      "Invalid field: uuid is too long",
    ],
  ])("rejects %s", (_, body, error) => expectError(send(JSON.stringify(body)), 400, error));

  it.each(['"extra":{"deep":[null]}', '"__proto__":{"render":"yes"}'])(
    "ignores the unknown member %s",
    async (member) => {
      const { statusCode, body } = await send(`{"image":"${image}",${member}}`);
      expect({
        statusCode,
        hasPicture: "rendered_image" in (JSON.parse(body) as object),
        isPolluted: "render" in {} || "uuid" in {},
      }).toEqual({ statusCode: 200, hasPicture: false, isPolluted: false });
    },
  );
});

describe("images", () => {
  it.each(["\n", "\r\n"])("accepts base64 in lines, as MIME encoders write it (%j)", async (end) => {
    expect((await send(JSON.stringify({ image: image.replaceAll(/.{76}/g, `$&${end}`) + end }))).statusCode).toBe(200);
  });
  it("rejects a truncated PNG", () =>
    expectError(
      send(JSON.stringify({ image: Buffer.from(image, "base64").subarray(0, 80).toString("base64") })),
      400,
      "Image could not be decoded",
    ));
  it("does not reject 10 MiB as too large", () =>
    expectError(
      send(JSON.stringify({ image: Buffer.alloc(imageLimitBytes).toString("base64") })),
      400,
      "Image must be JPEG or PNG",
    ));
  it("rejects a body over the limit of a single-image route", () =>
    expectError(
      send(JSON.stringify({ image: Buffer.alloc(13 * 1024 * 1024).toString("base64") }), {}, "/v3/corners"),
      413,
      "Image exceeds maximum size of 10MB",
    ));
  it("rejects a body over the limit of a route without an image", () =>
    expectError(
      send(JSON.stringify({ padding: "A".repeat(70_000) }), {}, "/v3/pop-session/start"),
      413,
      "Request body too large",
    ));
  it("rejects a foreign host on a removed path", () =>
    expectError(send("{}", { host: "evil.example" }, "/eu/predict"), 421, "Host not allowed"));
});

describe("keys, hosts, methods, paths", () => {
  it("checks the key before body and content type", () =>
    expectError(send("{bad", { "x-api-key": "no", "content-type": "text/plain" }), 403, "Invalid API key"));
  it.each(["corvet_wrong", ""])("checks the host before the key '%s' and the body", (key) =>
    expectError(send("{bad", { host: "attacker.example", "x-api-key": key }), 421, "Host not allowed"),
  );
  it.each([
    [200, ["localhost", "LOCALHOST:7443", "127.0.0.1:1", "[::1]:7443", "localhost.:80"]],
    [421, ["localhost.attacker.example", "127.0.0.1.nip.io", "[::2]", "attacker.example:7443", "user@localhost"]],
  ] as const)("responds %i to the hosts %j", async (status, hosts) => {
    for (const host of hosts) {
      const options = { url: "/v3/health", headers: { host, "x-api-key": service.key } };
      expect([host, (await service.app.inject(options)).statusCode]).toEqual([host, status]);
    }
  });
  it("logs the first of several refused hosts at once and counts further ones", () => {
    const refused = 'access refused {"security":"host.refused","times":1}';
    expect(service.logged.filter((line) => line.includes("host.refused"))).toEqual([refused]);
  });
  it.each([
    ["HEAD", "/v3/corners", "OPTIONS, POST"],
    ["TRACE", "/v3/health", "GET, HEAD, OPTIONS"],
    ["PROPFIND", "/v3/predict", "OPTIONS, POST"],
  ] as const)("responds 405 to %s %s", async (method, url, allow) => {
    const response = await service.app.inject({ method: method as "GET", url, headers: { "x-api-key": service.key } });
    expect({ status: response.statusCode, allow: response.headers.allow }).toEqual({ status: 405, allow });
  });
  it.each<[string, Record<string, string>]>([
    ["{", { "content-type": "application/json" }],
    ["", { "content-type": "application/json", "content-length": "0" }],
    ["text", { "content-type": "text/plain" }],
  ])("ignores the body '%s' of an OPTIONS request, but not its host", async (payload, headers) => {
    const ask = async (host: string) => {
      const options = { method: "OPTIONS", url: "/v3/predict", headers: { ...headers, host }, payload } as const;
      return (await service.app.inject(options)).statusCode;
    };
    expect([await ask("localhost"), await ask("evil.example")]).toEqual([204, 421]);
  });
  it.each(["/", "/v3/%zz"])("responds 404 to %s", async (url) => {
    const response = await service.app.inject({ url, headers: { "x-api-key": service.key } });
    expect({ status: response.statusCode, body: response.json() }).toEqual({
      status: 404,
      body: { error: "Not found" },
    });
  });
});

describe("limits", () => {
  it("responds 408 to work that takes too long, without a charge", async () => {
    const slow = await openScriptedService({ limits: { requestTimeoutMs: 50 } });
    slow.script.measure = untilAborted;
    expect(await slow.post("/v3/predict", { image })).toMatchObject({
      status: 408,
      body: { error: "Request timed out" },
    });
    const { text } = await slow.post("/v3/predict/stream", { images: [image] });
    expect(text).toContain('"error":"Request timed out"');
    expect(text).not.toContain("event: summary");
    expect(await rawly(slow.context.db, "SELECT seq FROM ledger")).toEqual([]);
    await slow.close();
  });
  it("counts the time for reading the body towards the limit", async () => {
    const requestTimeoutMs = 400;
    const slow = await openScriptedService({ limits: { requestTimeoutMs } });
    slow.script.measure = async (film, measuring) =>
      Promise.race([untilAborted(film, measuring), pause(requestTimeoutMs / 2, measured)]);
    const body = JSON.stringify({ image });
    async function* parts() {
      yield body.slice(0, 9);
      await pause(requestTimeoutMs);
      yield body.slice(9);
    }
    const response = await slow.app.inject({
      method: "POST",
      url: "/v3/predict",
      headers: { "x-api-key": slow.key, "content-type": "application/json" },
      payload: Readable.from(parts()),
    });
    expect([response.statusCode, response.json()]).toEqual([408, { error: "Request timed out" }]);
    await slow.close();
  });
  it.each([
    ["STORE_UNAVAILABLE", 503, "The store cannot be opened"],
    ["DISK_FULL", 507, "The disk is full; free some space and try again"],
  ] as const)("logs the address of the store for %s, but does not send it", async (code, status, message) => {
    const logged: unknown[] = [];
    const { measure } = service.script;
    const { error } = service.context.log;
    const fault = new AppError(code, "The database clinic-db.local:5432/corvet is busy (55P03).");
    service.script.measure = async () => {
      throw fault;
    };
    service.context.log.error = (entry) => void logged.push(entry);
    await expectError(send(JSON.stringify({ image })), status, message);
    const { body } = await send(JSON.stringify({ images: [image] }), {}, "/v3/predict/stream");
    expect(body).toContain(JSON.stringify(message));
    expect(body).not.toContain("clinic-db");
    expect(logged).toEqual(Array(2).fill(expect.objectContaining({ code, error: fault })));
    service.script.measure = measure;
    service.context.log.error = error;
  });
  it("logs requests without patients", async () => {
    await send(JSON.stringify({ image, uuid: "patient-4711" }), {}, "/v3/predict?uuid=patient-4711");
    const entries = service.app.recentRequests;
    expect(JSON.stringify(entries)).not.toContain("patient");
    expect(entries.at(-1)).toMatchObject({ method: "POST", route: "/v3/predict", status: 200 });
  });
});
