import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import { describe, expect, it } from "vitest";
import { AppError } from "../../core/app-error.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/service/sample-images.ts";
import { measured } from "../main/store/sample-store.ts";
import { paddedPng } from "./service/padded-image.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { itOwn, useServiceUnderTest } from "./service/service-under-test.ts";

const film = fixtureImage(fixtureNames("films")[0] ?? "");
const image = await plainImage();
const service = useServiceUnderTest();

async function expectError(
  answer: Promise<{ status: number; body: unknown; headers: Readonly<Record<string, unknown>> }>,
  status: number,
  error: string | RegExp,
): Promise<void> {
  const { body, headers, ...rest } = await answer;
  expect({ ...rest, body, type: headers["content-type"] }).toMatchObject({
    status,
    type: "application/json; charset=utf-8",
  });
  expect(body).toEqual({ error: typeof error === "string" ? error : expect.stringMatching(error) });
}

describe("7 Errors", () => {
  it.each<[string, unknown, string | RegExp]>([
    ["a missing field", {}, "Missing required field: image"],
    ["an invalid field", { image: film, render: "yes" }, "Invalid field: render must be a boolean"],
    ["not JSON", "{image", "Request body is not valid JSON"],
    ["no object", "[]", "Request body must be a JSON object"],
    ["no body", "", /JSON/],
    ["not base64", { image: "%%%" }, "Invalid base64 image: image"],
    ["an item of another type", { images: [film, 7] }, "Invalid field: images[1] must be a string"],
    ["an empty uuid", { image: film, uuid: "" }, "Invalid field: uuid must not be empty"],
  ])("400: %s (decision Server: wrong types are 400 with the field)", (_, body, error) =>
    expectError(service.post("/v3/predict", body), 400, error),
  );
  it("400 before measuring, on every route with a body", async () => {
    for (const path of [
      "/v3/predict",
      "/v3/predict/stream",
      "/v3/pop-session",
      "/v3/corners",
      "/v3/rectify",
      "/v3/preprocess",
    ]) {
      await expectError(service.post(path, {}), 400, /^Missing required field: images?$/);
    }
  });
  it("413 an image exceeds 10 MB, alone or in a batch", async () => {
    const large = await paddedPng(film, 10 * 1024 * 1024 + 1);
    for (const body of [{ image: large }, { images: [film, large] }])
      await expectError(service.post("/v3/predict", body), 413, "Image exceeds maximum size of 10MB");
  });
  it("404 unknown path, with and without a key, for any method and body", async () => {
    for (const [method, path, body, headers] of [
      ["GET", "/v3/unknown", undefined, {}],
      ["GET", "/v3/unknown", undefined, { "x-api-key": undefined }],
      ["POST", "/v3/predict/", { image: film }, {}],
      ["PUT", "/v3", "{bad", {}],
      ["POST", "/v3/unknown", "x".repeat(3_000_000), { "content-type": "text/plain" }],
      ["GET", "/V3/health", undefined, {}],
      ["OPTIONS", "/v3/unknown", undefined, {}],
    ] as const)
      await expectError(service.call(method, path, body, headers), 404, "Not found");
  });
  it("405 wrong method, with the allowed methods, for any body", async () => {
    for (const [method, path, allow] of [
      ["GET", "/v3/predict", "OPTIONS, POST"],
      ["PUT", "/v3/predict", "OPTIONS, POST"],
      ["POST", "/v3/health", "GET, HEAD, OPTIONS"],
      ["DELETE", "/v3/pop-session", "OPTIONS, POST"],
      ["PATCH", "/v3/rectify", "OPTIONS, POST"],
    ] as const) {
      const answer = await service.call(method, path, method === "GET" ? undefined : "{bad", {
        "content-type": "text/plain",
      });
      await expectError(Promise.resolve(answer), 405, "Method not allowed");
      expect(answer.headers["allow"]).toBe(allow);
    }
  });
  it("decision PoP sessions: 404 for an unknown session_id", () =>
    expectError(service.post("/v3/pop-session", { image, session_id: "unknown" }), 404, "Session not found"));
  it("decision Server: 421 for a foreign Host", () =>
    expectError(service.call("GET", "/v3/health", undefined, { host: "attacker.example" }), 421, "Host not allowed"));
  itOwn("decision Server: two Host headers are 400, over TLS and before the redirect", async () => {
    const { port } = new URL(service.baseUrl);
    const ask = async (path: string, socket: Socket): Promise<string> => {
      const hosts = [`localhost:${port}`, "attacker.example"].map((host) => `Host: ${host}\r\n`).join("");
      socket.write(`GET ${path} HTTP/1.1\r\n${hosts}x-api-key: ${service.key}\r\nConnection: close\r\n\r\n`);
      return await text(socket);
    };
    const secure = () =>
      tls.connect({ host: "127.0.0.1", port: Number(port), ca: service.authority ?? "", servername: "localhost" });
    const refusal = "Invalid header: Host must be sent once";
    expect(await ask("/v3/health", secure())).toMatch(new RegExp(`^HTTP/1.1 400 [^]*{"error":"${refusal}"}$`));
    expect(await ask("/usg/v1/health", secure())).toMatch(
      new RegExp(`^HTTP/1.1 400 [^]*access-control-allow-origin: \\*[^]*"message":"${refusal}"}}$`),
    );
    expect(await ask("/v3/health", connect(Number(port), "127.0.0.1"))).toMatch(
      new RegExp(`^HTTP/1.1 400 [^]*{"error":"${refusal}"}$`),
    );
  });
  it("prediction failures inside a 200 are reported by result_code", async () => {
    const { status, body } = await service.post("/v3/predict", {
      image: fixtureImage(fixtureNames("negatives")[0] ?? ""),
    });
    expect([status, body["result_code"]]).toEqual([200, 6]);
  });
});

describeScripted(
  "7 Errors, rows that require scripted networks",
  (scripted) => {
    const corners = [
      [0, 0],
      [60, 0],
      [60, 40],
      [0, 40],
    ];
    it("422 only for corners and preprocess: predict returns a result code without a film", async () => {
      expect(await scripted.post("/v3/rectify", { image, corners })).toMatchObject({ status: 200 });
    });
    it("500 internal error, without details", async () => {
      scripted.script.measure = scripted.script.findCorners = async () => {
        throw new TypeError("secret /path");
      };
      for (const path of ["/v3/predict", "/v3/corners"])
        await expectError(scripted.post(path, { image }), 500, "Internal server error");
    });
    it("503 PoP pipeline not loaded", async () => {
      const {
        body: { session_id },
      } = await scripted.post("/v3/pop-session/start", {});
      scripted.script.health = { ...scripted.script.health, isPopEnabled: false };
      for (const path of ["/v3/corners", "/v3/preprocess", "/v3/rectify", "/v3/pop-session"])
        await expectError(scripted.post(path, { image, corners, session_id }), 503, "PoP pipeline not available");
    });
    it("503 without classifier or landmark networks, before a stream starts (decision Measurement)", async () => {
      scripted.script.health = { ...scripted.script.health, canMeasure: false };
      for (const [path, body] of [
        ["/v3/predict", { image }],
        ["/v3/predict", { images: [image, image] }],
        ["/v3/predict/stream", { images: [image] }],
        ["/v3/predict/stream", { image }],
      ] as const)
        await expectError(scripted.post(path, body), 503, "Models not available");
    });
    it("503 for a photograph without its networks, but not for films (decision Measurement)", async () => {
      scripted.script.measure = async ({ widthPx }) => {
        if (widthPx === 64) throw new AppError("POP_NOT_LOADED");
        return measured;
      };
      const film = await plainImage(80);
      await expectError(scripted.post("/v3/predict", { image }), 503, "PoP pipeline not available");
      await expectError(scripted.post("/v3/predict", { images: [image] }), 503, "PoP pipeline not available");
      expect(await scripted.post("/v3/predict", { image: film })).toMatchObject({ status: 200 });
      expect((await scripted.post("/v3/predict/stream", { images: [image, film] })).text).toMatch(
        /event: error\ndata: {"index":0,.*"error":"PoP pipeline not available"}\n\nevent: photo\ndata: {"index":1,/,
      );
    });
    it("503 with Retry-After for an image not decoded within time or memory limits, which ends a stream", async () => {
      scripted.script.measure = async () => {
        throw new AppError("DECODING_INTERRUPTED");
      };
      for (const body of [{ image }, { images: [image] }]) {
        const response = await scripted.post("/v3/predict", body);
        await expectError(
          Promise.resolve(response),
          503,
          "Image could not be decoded within the time or memory limit; try again",
        );
        expect(String(response.headers["retry-after"])).toMatch(/^[1-9]\d*$/);
      }
      const { text: events } = await scripted.post("/v3/predict/stream", { images: [image, image] });
      expect(events.split("\n\n").slice(1)).toEqual([
        'event: error\ndata: {"index":0,"uuid":"","error":"Image could not be decoded within the time or memory limit; try again"}',
        "",
      ]);
    });
    it("decision Server: 429 with Retry-After if the queue is full; queued calls are not affected", async () => {
      const pending = Promise.withResolvers<typeof measured>();
      scripted.script.measure = () => pending.promise;
      const working = [1, 2].map(() => scripted.post("/v3/predict", { image }));
      while (scripted.context.queue.size < 2) await new Promise((resolve) => setImmediate(resolve));
      for (const [path, body] of [
        ["/v3/predict", { image }],
        ["/v3/predict", { images: [image] }],
        ["/v3/predict/stream", { images: [image] }],
        ["/v3/corners", { image }],
      ] as const) {
        const answer = await scripted.post(path, body);
        await expectError(Promise.resolve(answer), 429, "Too many images waiting");
        expect(String(answer.headers["retry-after"])).toMatch(/^[1-9]\d*$/);
      }
      pending.resolve(measured);
      expect((await Promise.all(working)).map(({ status }) => status)).toEqual([200, 200]);
    });
  },
  { queueLimit: 2 },
);
