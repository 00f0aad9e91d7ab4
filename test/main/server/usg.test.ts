import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { LightMyRequestResponse } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  usgErrorCodeOf,
  usgErrorCodes,
  usgErrorSchema,
  usgHealthSchema,
  usgPredictionSchema,
  usgVersionSchema,
} from "../../../core/contract/usg-v1.ts";
import { errorCatalogue, type ErrorCode } from "../../../core/contract/error-catalogue.ts";
import { examplePayload } from "../../core/usg/example-payload.ts";
import { revokeApiKey } from "../../../main/store/people/api-keys.ts";
import { listAuditEvents } from "../../../main/store/audit/audit-events.ts";
import { createKey } from "../../../main/services/calls/keys.ts";
import { constantPack, openUsgServer, predictOptions, type UsgServer } from "./service/usg-server.ts";

const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "Content-Type, x-api-key",
};
const host = { host: "localhost" };

let server: UsgServer;
beforeAll(async () => {
  server = await openUsgServer();
});
afterAll(() => server.close());

async function faultOf(answer: Promise<LightMyRequestResponse>) {
  const { statusCode, headers, json } = await answer;
  expect(headers).toMatchObject({ ...cors, "content-type": "application/json; charset=utf-8" });
  return [statusCode, usgErrorSchema.parse(json()).error.code] as const;
}

it.each([
  ["health", usgHealthSchema, { status: "ok", service: "usg-v1" }],
  [
    "version",
    usgVersionSchema,
    {
      ...{ service: "usg-v1", threshold_impaired: 0.3496, sg_cutoff: 1.035 },
      features: ["BUN", "CREATININE", "HGB", "ABSOLUTE LYMPHOCYTES", "age_months"],
    },
  ],
])("GET /usg/v1/%s needs no key", async (name, schema, fields) => {
  const answer = await server.app.inject({ url: `/usg/v1/${name}`, headers: host });
  expect(answer.headers).toMatchObject(cors);
  const versions = { model_version: "1.5a-corvet.1", service_version: "1.0.2" };
  expect([answer.statusCode, schema.parse(answer.json())]).toEqual([200, { ...versions, ...fields }]);
});

describe("OPTIONS", () => {
  it.each(["/predict", "/health", "/version"])("gets 204 without content or key on %s", async (path) => {
    const answer = await server.app.inject({ method: "OPTIONS", url: `/usg/v1${path}`, headers: host });
    expect(answer.headers).toMatchObject(cors);
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
  });
  it.each([
    ["{", "application/json"],
    ["text", "text/plain"],
  ])("ignores the body '%s', but not the host", async (payload, type) => {
    const ask = (name: string) => {
      const headers = { host: name, "content-type": type };
      return server.app.inject({ method: "OPTIONS", url: "/usg/v1/predict", headers, payload });
    };
    const answer = await ask("localhost");
    expect(answer.headers).toMatchObject(cors);
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect(await faultOf(ask("evil.example"))).toEqual([421, "wrong_host"]);
  });
});

describe("POST /usg/v1/predict", () => {
  it("responds in the format of section 2.2", async () => {
    const answer = await server.predict(examplePayload);
    expect(answer.headers).toMatchObject({ ...cors, "content-type": "application/json; charset=utf-8" });
    const { result, meta } = usgPredictionSchema.parse(answer.json());
    const weights = result.explanation.features.map(({ shap }) => Math.abs(shap));
    const sum = result.explanation.features.reduce((total, { shap }) => total + shap, result.explanation.base_value);
    expect({
      status: answer.statusCode,
      service: meta.service,
      version: meta.model_version === result.model_version,
      total: result.probability_impaired + result.probability_adequate,
      threshold: result.threshold_sg,
      warnings: "warnings" in result,
      values: Object.fromEntries(result.explanation.features.map(({ feature, value }) => [feature, value])),
      directions: result.explanation.features.every(
        ({ shap, direction }) => direction === (shap > 0 ? "impaired" : "adequate"),
      ),
      sorted: [...weights].sort((a, b) => b - a),
    }).toEqual({
      status: 200,
      service: "usg-v1",
      version: true,
      total: 1,
      threshold: 1.035,
      warnings: false,
      values: examplePayload,
      directions: true,
      sorted: weights,
    });
    // Tolerance for five contributions of 4 decimals.
    expect(Math.abs(1 / (1 + Math.exp(-sum)) - result.probability_impaired)).toBeLessThan(2.5e-4);
  });

  it("accepts the payload under data, numeric strings and unknown members", async () => {
    const [plain, wrapped] = await Promise.all([
      server.predict(examplePayload),
      server.predict({ data: { ...examplePayload, BUN: "28", species: "cat" }, other: 1 }),
    ]);
    expect(wrapped.json<{ result: unknown }>().result).toEqual(plain.json<{ result: unknown }>().result);
  });

  it("corrects units with a warning and returns the corrected values", async () => {
    const answer = await server.predict({ ...examplePayload, CREATININE: 176.8, "ABSOLUTE LYMPHOCYTES": 2.1 });
    const { result } = usgPredictionSchema.parse(answer.json());
    const plain = usgPredictionSchema.parse((await server.predict({ ...examplePayload, CREATININE: 2 })).json());
    expect(result).toEqual({
      ...plain.result,
      warnings: [
        "Creatinine (mg/dL): 176.8 -> 2 (converted from umol/L to mg/dL)",
        "Abs. Lymphocytes (/uL): 2.1 -> 2100 (value appears to be in thousands, converted to /uL)",
      ],
    });
    const one = usgPredictionSchema.parse((await server.predict({ ...examplePayload, CREATININE: 176.8 })).json());
    expect(one.result.warnings).toEqual(result.warnings?.slice(0, 1));
  });

  it("does not cache results", async () => {
    const first = await server.predict({ ...examplePayload, uuid: "twice" });
    const second = await server.predict({ ...examplePayload, uuid: "twice", BUN: 120 });
    expect(first.json<{ result: unknown }>().result).not.toEqual(second.json<{ result: unknown }>().result);
  });

  it("accepts JSON with any content type", async () => {
    expect((await server.predict(JSON.stringify(examplePayload), { "content-type": "text/plain" })).statusCode).toBe(
      200,
    );
  });
});

describe("errors of section 7", () => {
  const withoutHgb = { ...examplePayload, HGB: undefined };
  it.each<[string, unknown, number, string]>([
    ["text that is not JSON", "{", 400, "invalid_json"],
    ["an empty body", "", 400, "invalid_json"],
    ["NaN, which is not JSON", JSON.stringify(examplePayload).replace("28", "NaN"), 400, "invalid_json"],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400, "invalid_json"],
    ["a missing feature", withoutHgb, 400, "missing_features"],
    [
      "a number that exceeds double precision",
      JSON.stringify(examplePayload).replace("28", "1e999"),
      400,
      "invalid_value",
    ],
    ["a body that is too large", { ...examplePayload, uuid: "x".repeat(70_000) }, 413, "invalid_payload"],
  ])("rejects %s", async (_case, body, status, code) => {
    expect(await faultOf(server.predict(body))).toEqual([status, code]);
  });

  it("responds 401 missing_api_key without a key and 403 invalid_api_key to an inactive key", async () => {
    const revoked = await createKey(server.context.db, { accountName: "Clinic", name: "old", at: server.clock.at });
    await revokeApiKey(server.context.db, { keyId: revoked.keyId, at: server.clock.at });
    const anonymous = server.app.inject(predictOptions(examplePayload, {}));
    expect([
      await faultOf(anonymous),
      await faultOf(server.predict(examplePayload, { "x-api-key": "unknown" })),
      await faultOf(server.predict(examplePayload, { "x-api-key": "" })),
      await faultOf(server.predict(examplePayload, { "x-api-key": revoked.key })),
    ]).toEqual([
      [401, "missing_api_key"],
      [403, "invalid_api_key"],
      [403, "invalid_api_key"],
      [403, "invalid_api_key"],
    ]);
  });

  it.each([{}, { "x-api-key": "unknown" }])("records a refused key in the audit trail: %j", async (headers) => {
    const refusing = await openUsgServer();
    await refusing.app.inject(predictOptions(examplePayload, headers));
    const { rows } = await listAuditEvents(refusing.context.db, { limit: 10, offset: 0 });
    expect(rows.filter(({ action }) => action === "key.refused")).toMatchObject([
      { via: "service", detail: { times: 1 } },
    ]);
    await refusing.close();
  });

  it("responds 500 internal_error to an unexpected error, without details", async () => {
    const broken = await openUsgServer();
    broken.screening.predict = () => {
      throw new Error("secret detail");
    };
    const answer = await broken.predict(examplePayload);
    expect([answer.statusCode, answer.json(), answer.headers["access-control-allow-origin"]]).toEqual([
      500,
      { error: { code: "internal_error", message: "Internal server error" } },
      "*",
    ]);
    expect(broken.logged.join()).toContain("secret detail");
    await broken.close();
  });

  it("map every server error to internal_error", () => {
    const codes = Object.keys(errorCatalogue) as ErrorCode[];
    const faults = codes.filter((code) => errorCatalogue[code].status >= 500);
    expect(new Set(faults.map(usgErrorCodeOf))).toEqual(new Set(["internal_error"]));
  });

  it("are eight, with the statuses of the catalogue", () => {
    const rows = Object.entries(usgErrorCodes).map(([key, code]) => [
      errorCatalogue[key as keyof typeof errorCatalogue].status,
      code,
    ]);
    expect(rows).toEqual([
      [400, "invalid_json"],
      [400, "invalid_payload"],
      [400, "missing_features"],
      [400, "out_of_range"],
      [400, "invalid_value"],
      [401, "missing_api_key"],
      [403, "invalid_api_key"],
      [500, "internal_error"],
    ]);
  });
});

describe("the order of checks", () => {
  const steps: readonly (readonly [string, Record<string, string>, unknown, string])[] = [
    ["key before JSON", { "x-api-key": "unknown" }, "{", "invalid_api_key"],
    ["JSON before object", {}, "[", "invalid_json"],
    ["object before missing", {}, "[]", "invalid_payload"],
    ["missing before value", {}, { BUN: "abc" }, "missing_features"],
    ["value before range", {}, { ...examplePayload, BUN: 0, HGB: "abc" }, "invalid_value"],
    ["correction before range", {}, { ...examplePayload, CREATININE: 88.4, BUN: 0 }, "out_of_range"],
  ];
  it.each(steps)("checks %s", async (_case, headers, body, code) => {
    expect((await faultOf(server.predict(body, headers)))[1]).toBe(code);
  });
});

describe("CORS and the error format below /usg/v1", () => {
  it.each<[string, string, number, string]>([
    ["GET", "/usg/v1/nothing", 404, "not_found"],
    ["GET", "/usg/v1", 404, "not_found"],
    ["GET", "/usg/v1/", 404, "not_found"],
    ["GET", "/usg/v1/__proto__", 404, "not_found"],
    ["GET", "/usg/v1/constructor", 404, "not_found"],
    ["POST", "/usg/v1/predict/", 404, "not_found"],
    ["GET", "/usg/v1/predict", 405, "method_not_allowed"],
    ["PUT", "/usg/v1/predict?x=1", 405, "method_not_allowed"],
    ["DELETE", "/usg/v1/health", 405, "method_not_allowed"],
    ["POST", "/usg/v1/version", 405, "method_not_allowed"],
    ["PUT", "/usg/v1/%70redict", 405, "method_not_allowed"],
    ["GET", "/%75sg/v1/predict?x=1", 405, "method_not_allowed"],
    ["GET", "/usg/v1/%2570redict", 404, "not_found"],
  ])("apply to %s %s: %d", async (method, url, status, code) => {
    expect(await faultOf(server.app.inject({ method: method as "GET", url, headers: host }))).toEqual([status, code]);
  });

  it("apply to an unknown path with any body; a known path lists its methods", async () => {
    expect(await faultOf(server.app.inject({ ...predictOptions("{", {}), url: "/usg/v1/nothing" }))).toEqual([
      404,
      "not_found",
    ]);
    const answer = await server.app.inject({ method: "GET", url: "/usg/v1/predict", headers: host });
    expect(answer.headers["allow"]).toBe("OPTIONS, POST");
  });

  it("apply to an absolute target, with the methods of its path", async () => {
    const listening = await openUsgServer();
    await listening.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = listening.app.server.address() as AddressInfo;
    const asked = httpRequest({ port, method: "PUT", path: "https://localhost/usg/v1/predict", headers: host }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, answer.headers["allow"]]).toEqual([405, "OPTIONS, POST"]);
    await listening.close();
  });

  it("apply to a foreign host", async () => {
    for (const url of ["/usg/v1/health", "/usg/v1/nothing", "/usg/v1/predict"])
      for (const method of ["GET", "POST"] as const)
        expect(await faultOf(server.app.inject({ method, url, headers: { host: "evil.example" } }))).toEqual([
          421,
          "wrong_host",
        ]);
  });

  it("apply to a malformed address", async () => {
    expect(await faultOf(server.app.inject({ url: "/usg/v1/%zz", headers: host }))).toEqual([404, "not_found"]);
  });

  it("apply to HEAD", async () => {
    const answer = await server.app.inject({ method: "HEAD", url: "/usg/v1/health", headers: host });
    expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  });

  it("do not apply to /v3", async () => {
    const answer = await server.app.inject({ url: "/v3/health", headers: host });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("risk tiers of a pack", () => {
  let constant: UsgServer | null = null;
  afterEach(() => constant?.close());
  it.each([
    // Single-precision log-odds of 0.2 are just below 0.2; the printed value decides.
    [0.2, "moderate_low", "adequate", 0.2],
    [0.34957, "moderate_high", "impaired", 0.3496],
  ])("map %d to %s and %s, rounded to %d", async (probability, tier, classification, shown) => {
    const pack = constantPack(probability);
    constant = await openUsgServer({ packFolders: [pack.folder] });
    pack.remove();
    const { result } = usgPredictionSchema.parse((await constant.predict(examplePayload)).json());
    expect([result.risk_tier, result.classification, result.probability_impaired]).toEqual([
      tier,
      classification,
      shown,
    ]);
  });
});

it("responds 503 internal_error to predictions and health without a model", async () => {
  const empty = await openUsgServer({ packFolders: [] });
  expect(await faultOf(empty.predict(examplePayload))).toEqual([503, "internal_error"]);
  expect(await faultOf(empty.app.inject({ url: "/usg/v1/health", headers: host }))).toEqual([503, "internal_error"]);
  await empty.close();
});

it("responds to a prediction while images fill the memory for bodies", async () => {
  const full = await openUsgServer({ limits: { bodiesBytes: 0 } });
  expect((await full.predict(examplePayload)).statusCode).toBe(200);
  await full.close();
});

it("states the pack's cutoff in the OpenAPI document", async () => {
  const { folder, remove } = constantPack(0.5, { decoding: { thresholdImpaired: 0.5, sgCutoff: 1.03 } });
  const descriptions = [];
  for (const packFolders of [[folder], []]) {
    const asked = await openUsgServer({ packFolders });
    const answer = await asked.app.inject({ url: "/usg/v1/openapi.json", headers: host });
    descriptions.push(answer.json<{ info: { description: string } }>().info.description);
    await asked.close();
  }
  remove();
  expect(descriptions).toEqual([
    "Estimates from five bloodwork values whether a cat's urine is below a specific gravity of 1.03. Not clinically validated.",
    "Estimates from five bloodwork values whether a cat's urine is below its model's cutoff. Not clinically validated.",
  ]);
});
