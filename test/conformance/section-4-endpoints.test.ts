import { describe, expect, it } from "vitest";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/service/sample-images.ts";
import { fieldsOf, isCount, isFlag, isObject, isOneOf, isText, keysOf, type Row } from "./service/fields.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { isForeign, useServiceUnderTest } from "./service/service-under-test.ts";

const film = fixtureImage(fixtureNames("films")[0] ?? "");
const negative = fixtureImage(fixtureNames("negatives")[0] ?? "");
const frame = fixtureImage(fixtureNames("session")[0] ?? "");
const service = useServiceUnderTest();

/** Number of billed calls in the month so far; always 0 for another service, which may have other clients. */
const usage = async () =>
  isForeign
    ? 0
    : ((await service.post("/v3/predict", { image: negative })).body["billing"] as { monthly_usage: number })
        .monthly_usage;

describe("4 Endpoints: never billed (section 8, rule 5)", () => {
  it.each<[string, string, unknown]>([
    ["GET", "/v3/health", undefined],
    ["POST", "/v3/pop-session/start", {}],
    ["POST", "/v3/corners", { image: frame }],
    [
      "POST",
      "/v3/rectify",
      {
        image: frame,
        corners: [
          [384, 371],
          [729, 314],
          [772, 600],
          [403, 650],
        ],
      },
    ],
    ["POST", "/v3/preprocess", { image: frame }],
  ])("%s %s", async (method, pathname, body) => {
    const before = await usage();
    const { status, text } = await service.call(method, pathname, body);
    expect(status).toBe(service.isPopEnabled || !/corners|rectify|preprocess/.test(pathname) ? 200 : 503);
    expect([text.includes('"billing"'), await usage()]).toEqual([false, before]);
  });
});

describe("4 Endpoints: billed", () => {
  it("POST /v3/predict/stream, as one session for any number of images", async () => {
    const before = await usage();
    const { text } = await service.post("/v3/predict/stream", { images: [film, film] });
    expect(text.match(/"call_type":"session"/g)).toHaveLength(1);
    expect(await usage()).toBe(isForeign ? 0 : before + 1);
  });
});

describe("4 GET /v3/health", () => {
  const rows: Row[] = [
    ["status", isOneOf("healthy", "degraded")],
    ["models_loaded", isCount],
    ["pop_models_loaded", isCount],
    ["pop_pipeline_enabled", isFlag],
    ["model_version", isText],
  ];
  it("has only the specified fields", async () => {
    const { body } = await service.call("GET", "/v3/health");
    expect(keysOf(body)).toEqual(fieldsOf(rows));
    for (const [field, holds] of rows) expect([field, holds(body[field])]).toEqual([field, true]);
  });
  it("is healthy with the expected 5 and 1 models, otherwise degraded", async () => {
    const { body } = await service.call("GET", "/v3/health");
    const isComplete =
      body["models_loaded"] === 5 && body["pop_models_loaded"] === 1 && body["pop_pipeline_enabled"] === true;
    expect(body["status"]).toBe(isComplete ? "healthy" : "degraded");
  });
});

describeScripted("4 GET /v3/health, without its networks", (scripted) => {
  it("is degraded, with the numbers of loaded models", async () => {
    scripted.script.health = {
      ...scripted.script.health,
      modelsLoaded: 4,
      popModelsLoaded: 0,
      isPopEnabled: false,
      isDegraded: true,
    };
    const { body } = await scripted.call("GET", "/v3/health");
    expect(body).toMatchObject({
      status: "degraded",
      models_loaded: 4,
      pop_models_loaded: 0,
      pop_pipeline_enabled: false,
    });
  });
});

describe("4 POST /v3/predict, request", () => {
  it("image: base64, optionally with a data: prefix (decision Server)", async () => {
    const [plain, prefixed] = [
      await service.post("/v3/predict", { image: film }),
      await service.post("/v3/predict", { image: `data:image/jpeg;base64,${film}` }),
    ];
    expect([prefixed.status, prefixed.body["vhs"]]).toEqual([200, plain.body["vhs"]]);
  });
  it("render: false by default", async () => {
    const answers = await Promise.all(
      [{ image: film }, { image: film, render: false }, { image: film, render: true }].map((body) =>
        service.post("/v3/predict", body),
      ),
    );
    expect(answers.map(({ body }) => "rendered_image" in body)).toEqual([false, false, true]);
  });
  it("decision Server: unknown fields are ignored, including those of the previous version (section 9)", async () => {
    const dropped = { include_render: true, extended_run: "yes", enhancement_iterations: 7, scores: [] };
    const headers = {
      "X-Include-Confidence": "true",
      "X-Include-Bounding-Boxes": "true",
      "X-Enable-CLAHE": "true",
      "X-Disable-Rescue": "true",
    };
    const { status, body } = await service.post("/v3/predict", { image: film, ...dropped }, headers);
    expect([status, "rendered_image" in body, "scores" in body]).toEqual([200, false, false]);
  });
});

describe("4 POST /v3/pop-session/start", () => {
  const rows: Row[] = [
    ["session_id", isText],
    ["session_status", isOneOf("ready")],
    ["pop_pipeline_enabled", isFlag],
    ["models_loaded", isCount],
    ["pop_models_loaded", isCount],
    ["model_version", isText],
    ["session_config", isObject],
  ];
  it("has only the specified fields, and a unique id per session", async () => {
    const bodies = await Promise.all([1, 2].map(async () => (await service.post("/v3/pop-session/start", {})).body));
    for (const body of bodies) {
      expect(keysOf(body)).toEqual(fieldsOf(rows));
      for (const [field, holds] of rows) expect([field, holds(body[field])]).toEqual([field, true]);
    }
    expect(new Set(bodies.map((body) => body["session_id"])).size).toBe(2);
  });
});

describe("4 POST /v3/pop-session, request", () => {
  it.each(["image", "session_id"])("%s is required", async (field) => {
    const body = { image: await plainImage(), session_id: "any", [field]: undefined };
    expect(await service.post("/v3/pop-session", body)).toMatchObject({
      status: 400,
      body: { error: `Missing required field: ${field}` },
    });
  });
  it("uuid is validated", async () => {
    const body = { image: await plainImage(), session_id: "any", uuid: 7 };
    expect(await service.post("/v3/pop-session", body)).toMatchObject({
      status: 400,
      body: { error: "Invalid field: uuid must be a string" },
    });
  });
});

describe("4 Content-Type and methods", () => {
  it("a body not declared as application/json is 415, in the common error format", async () => {
    expect(
      await service.post("/v3/predict", JSON.stringify({ image: film }), { "content-type": "text/plain" }),
    ).toMatchObject({ status: 415, body: { error: "Content-Type must be application/json" } });
  });
  it("application/json with a character set is accepted, in upper or lower case", async () => {
    expect(
      (await service.post("/v3/pop-session/start", {}, { "Content-Type": "Application/JSON; Charset=UTF-8" })).status,
    ).toBe(200);
  });
  it("HEAD of /v3/health equals GET without a body, and requires the key", async () => {
    const [{ status, text, headers }, get] = [
      await service.call("HEAD", "/v3/health"),
      await service.call("GET", "/v3/health"),
    ];
    expect([status, text, headers["content-length"]]).toEqual([200, "", get.headers["content-length"]]);
    expect((await service.call("HEAD", "/v3/health", undefined, { "x-api-key": "wrong" })).status).toBe(403);
  });
  it.each([
    ["/v3/health", "GET, HEAD, OPTIONS"],
    ["/v3/predict", "OPTIONS, POST"],
    ["/v3/pop-session", "OPTIONS, POST"],
  ])(
    "OPTIONS of %s returns the allowed methods, without a key and CORS headers (decision Server)",
    async (pathname, allow) => {
      const { status, headers } = await service.call("OPTIONS", pathname, undefined, {
        "x-api-key": undefined,
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
      });
      expect([
        status,
        headers["allow"],
        Object.keys(headers).filter((name) => name.startsWith("access-control")),
      ]).toEqual([204, allow, []]);
    },
  );
  it("decision Server: responses of /v3 have no CORS headers and are not cached", async () => {
    const { headers } = await service.call("GET", "/v3/health", undefined, { origin: "https://elsewhere.example" });
    expect([
      Object.keys(headers).filter((name) => name.startsWith("access-control")),
      headers["cache-control"],
    ]).toEqual([[], "no-store"]);
  });
});
