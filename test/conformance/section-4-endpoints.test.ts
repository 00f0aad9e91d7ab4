import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import sharp from "sharp";
import { v3Routes } from "../../core/contract/v3-routes.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/sample-images.ts";
import { isForeign, openServiceUnderTest, type ServiceUnderTest } from "./service-under-test.ts";

const film = fixtureImage(fixtureNames("films")[0] ?? "");
const screen = fixtureImage(fixtureNames("screens")[1] ?? "");
let service: ServiceUnderTest;
let isPopEnabled: boolean;

beforeAll(async () => {
  service = await openServiceUnderTest();
  isPopEnabled = (await service.call("GET", "/v3/health")).body["pop_pipeline_enabled"] === true;
});
afterAll(() => service.close());

const needsPop = ({ skip }: TestContext) => skip(!isPopEnabled, "the PoP networks are not loaded");
/** Billed calls so far; another program may have other callers at the same time, so there it says nothing. */
const usage = async () => isForeign ? 0 : ((await service.post("/v3/predict", { image: fixtureImage(fixtureNames("negatives")[0] ?? "") })).body["billing"] as { monthly_usage: number }).monthly_usage;

describe("4 Endpoints", () => {
  it("GET /v3/health", async () => {
    const { status, body } = await service.call("GET", "/v3/health");
    expect(status).toBe(200);
    const isComplete = body["models_loaded"] === 5 && body["pop_models_loaded"] === 1 && body["pop_pipeline_enabled"] === true;
    expect(body["status"]).toBe(isComplete ? "healthy" : "degraded");
  });
  it("GET /v3/health is never billed", async () => {
    const before = await usage();
    await service.call("GET", "/v3/health");
    expect(await usage()).toBe(before);
  });
  it("POST /v3/predict with image is billed as single", async () => {
    expect((await service.post("/v3/predict", { image: film })).body["billing"]).toMatchObject({ billable: true, call_type: "single" });
  });
  it("POST /v3/predict takes a data: prefix (decision Server)", async () => {
    expect((await service.post("/v3/predict", { image: `data:image/jpeg;base64,${film}` })).body).toMatchObject({ result_code: expect.any(Number) });
  });
  it("POST /v3/predict with images is billed as session", async () => {
    expect((await service.post("/v3/predict", { images: [film] })).body["billing"]).toMatchObject({ billable: true, call_type: "session" });
  });
  it("POST /v3/predict/stream is billed as one session", async () => {
    const { text } = await service.post("/v3/predict/stream", { images: [film, film] });
    expect(text.match(/"call_type":"session"/g)).toHaveLength(1);
  });
  it("POST /v3/pop-session/start", async () => {
    const before = await usage();
    expect(Object.keys((await service.post("/v3/pop-session/start", {})).body).sort()).toEqual([
      "model_version", "models_loaded", "pop_models_loaded", "pop_pipeline_enabled", "session_config", "session_id", "session_status",
    ]);
    expect(await usage()).toBe(before);
  });
  it("POST /v3/pop-session", async () => {
    const { body } = await service.post("/v3/pop-session/start", {});
    const { status } = await service.post("/v3/pop-session", { image: screen, session_id: body["session_id"], uuid: "patient-1" });
    expect(status).toBe(isPopEnabled ? 200 : 503);
  });
  it("POST /v3/corners", async (context) => {
    needsPop(context);
    const { status, body } = await service.post("/v3/corners", { image: screen });
    expect(status).toBe(200);
    const { width, height } = await sharp(Buffer.from(screen, "base64")).metadata();
    expect(body).toMatchObject({ order: "TL,TR,BR,BL", image_width: width, image_height: height });
  });
  it("POST /v3/rectify", async (context) => {
    needsPop(context);
    const { body } = await service.post("/v3/rectify", { image: await plainImage(400, 300), corners: [[50, 50], [350, 50], [350, 250], [50, 250]] });
    const picture = await sharp(Buffer.from(body["rectified_image"] as string, "base64")).metadata();
    expect({ format: picture.format, width: picture.width, height: picture.height }).toEqual({ format: "jpeg", width: body["width"], height: body["height"] });
    expect((body["width"] as number) / (body["height"] as number)).toBeCloseTo(1.5, 1);
  });
  it("POST /v3/preprocess is corners followed by rectify", async (context) => {
    needsPop(context);
    const corners = await service.post("/v3/corners", { image: screen });
    const rectified = await service.post("/v3/rectify", { image: screen, corners: corners.body["corners"] });
    const both = await service.post("/v3/preprocess", { image: screen });
    expect(both.body).toMatchObject({ corners: corners.body["corners"], width: rectified.body["width"], height: rectified.body["height"] });
  });
});

describe("5 Authentication", () => {
  it.each(v3Routes.map(({ method, path }) => [method, path]))("%s %s needs a key", async (method, path) => {
    for (const key of [undefined, "wrong"]) {
      expect(await service.call(method, path, method === "POST" ? {} : undefined, { "x-api-key": key })).toMatchObject({ status: 403, body: { error: "Invalid API key" } });
    }
  });
  it("header names are case-insensitive", async () => {
    expect((await service.call("GET", "/v3/health", undefined, { "x-api-key": undefined, "X-API-Key": service.key })).status).toBe(200);
  });
});

describe("9 Versioning", () => {
  it.each(["/eu/predict", "/eu/health"])("%s is gone and names its successor (decision Server)", async (path) => {
    for (const method of ["GET", "POST"]) {
      const { status, body } = await service.call(method, path, undefined, { "x-api-key": undefined });
      expect([status, body["error"]]).toEqual([410, expect.stringContaining("/v3/predict")]);
    }
  });
  it("model_version is that of the loaded networks", async () => {
    const { body } = await service.call("GET", "/v3/health");
    expect(body["model_version"]).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("OpenAPI", () => {
  it("describes every route, and the answers fit it", async () => {
    const { body } = await service.call("GET", "/v3/openapi.json");
    const paths = body["paths"] as Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>>;
    expect(body["openapi"]).toBe("3.1.0");
    expect(Object.keys(paths)).toEqual(v3Routes.map(({ path }) => path));
    const schema = paths["/v3/predict"]?.["post"]?.responses["200"]?.content["application/json"]?.schema ?? {};
    const validate = new Ajv2020({ strict: false, formats: { "date-time": true, base64: true } }).compile(schema);
    for (const request of [{ image: film, uuid: "patient-9" }, { image: film, uuid: "patient-9" }, { images: [film, "***"] }]) {
      expect(validate((await service.post("/v3/predict", request)).body), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});
