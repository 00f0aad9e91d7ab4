import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { gonePaths, v3Routes } from "../../core/contract/v3/routes.ts";
import { itOwn, useServiceUnderTest } from "./service/service-under-test.ts";

const service = useServiceUnderTest();

describe("5 Authentication", () => {
  it.each(v3Routes.map(({ method, path: pathname }) => [method, pathname]))(
    "rules 1 and 3: %s %s without a key, or with a wrong one, is 403",
    async (method, pathname) => {
      for (const key of [undefined, `${service.key}x`]) {
        expect(
          await service.call(method, pathname, method === "POST" ? {} : undefined, { "x-api-key": key }),
        ).toMatchObject({ status: 403, body: { error: "Invalid API key" } });
      }
    },
  );
  it("header names are case-insensitive", async () => {
    expect(
      (await service.call("GET", "/v3/health", undefined, { "x-api-key": undefined, "X-API-Key": service.key })).status,
    ).toBe(200);
  });
  it("the key is accepted in the header only", async () => {
    const elsewhere = {
      "x-api-key": undefined,
      authorization: `Bearer ${service.key}`,
      cookie: `x-api-key=${service.key}`,
    };
    expect((await service.call("GET", `/v3/health?x-api-key=${service.key}`, undefined, elsewhere)).status).toBe(403);
  });
  itOwn("rule 2: no file of the store contains a valid key", () => {
    const { context } = service.own?.corvet ?? expect.unreachable("the suite did not start this program");
    const files = ["corvet.db", "corvet.db-wal"].map((name) => readFileSync(path.join(context.dataDir, name)));
    expect(files.filter((bytes) => bytes.includes(service.key))).toEqual([]);
    expect(files.some((bytes) => bytes.includes("conformance"))).toBe(true);
  });
  it("rule 4: the same key is accepted by the urine service", async () => {
    const bloodwork = { BUN: 30, CREATININE: 1.8, HGB: 12, "ABSOLUTE LYMPHOCYTES": 2500, age_months: 120 };
    expect((await service.post("/usg/v1/predict", bloodwork)).status).toBe(200);
    expect((await service.post("/usg/v1/predict", bloodwork, { "x-api-key": "wrong" })).status).toBe(403);
  });
});

describe("9 Versioning", () => {
  it.each(gonePaths)(
    "%s is 410 with its successor, for any method, key and body (decision Server)",
    async (pathname) => {
      for (const [method, body] of [
        ["GET", undefined],
        ["POST", "no JSON"],
        ["PUT", {}],
        ["OPTIONS", undefined],
      ] as const) {
        const { status, body: answer } = await service.call(method, pathname, body, {
          "x-api-key": undefined,
          "content-type": "text/plain",
        });
        expect([method, status, answer]).toEqual([method, 410, { error: expect.stringContaining("/v3/predict") }]);
      }
    },
  );
  it("model_version is that of the loaded networks", async () => {
    const { body } = await service.call("GET", "/v3/health");
    expect(body["model_version"]).toMatch(/^\d+\.\d+\.\d+/);
  });
});
