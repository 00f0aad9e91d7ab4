import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { v3Routes } from "../../core/contract/v3/routes.ts";
import { examplePayload } from "../core/usg/example-payload.ts";
import { fixtureImage, fixtureNames } from "../main/server/service/sample-images.ts";
import { readStream } from "./service/read-stream.ts";
import { useServiceUnderTest, type Answer } from "./service/service-under-test.ts";

type Schemas = Record<string, object>;
type Content = { content: Record<string, { schema: object }> };
type Operation = { requestBody?: Content & { required: boolean }; responses: Record<string, Content> };
type Document = Record<string, unknown> & {
  servers: { url: string }[];
  components: { schemas: Schemas };
  paths: Record<string, Record<string, Operation>>;
};

const [film = "", otherFilm = ""] = fixtureNames("films").map(fixtureImage);
const service = useServiceUnderTest();
const documentAt = async (path: string) => (await service.call("GET", path)).body as Document;

function checkBy({ components }: Document, schema: object) {
  const ajv = new Ajv2020({ strict: false, formats: { "date-time": true, base64: true } });
  const validate = ajv.compile({ ...schema, components });
  return (value: unknown) => [validate(value), validate.errors];
}

describe("OpenAPI documents of the services", () => {
  it.each(["/v3/openapi.json", "/usg/v1/openapi.json"])(
    "%s passes the recommended rules of redocly lint and contains its server",
    async (path) => {
      const document = await documentAt(path);
      const config = await createConfig({ extends: ["recommended"] });
      const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config });
      expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
      expect(document["openapi"]).toBe("3.1.0");
      expect(document.servers.map(({ url }) => url)).toEqual([service.baseUrl.replace("//localhost", "//127.0.0.1")]);
    },
  );

  it.each(["/v3/openapi.json", "/usg/v1/openapi.json"])("%s lists 431 for headers that are too large", async (path) => {
    const { paths } = await documentAt(path);
    const long = { "x-long": "a".repeat(20_000) };
    for (const [url, operations] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(operations)) {
        const { status } = await service.call(method.toUpperCase(), url, undefined, long);
        expect([status, Object.keys(responses).includes(String(status))], `${method} ${url}`).toEqual([431, true]);
      }
  });

  it("/v3: describes every route, with valid responses", async () => {
    const document = await documentAt("/v3/openapi.json");
    expect(Object.keys(document.paths)).toEqual(v3Routes.map(({ path }) => path));
    const content = document.paths["/v3/predict"]?.["post"]?.responses["200"]?.content;
    const check = checkBy(document, content?.["application/json"]?.schema ?? {});
    expect(JSON.stringify(content)).toContain("for a photograph of a screen to `rectified_image`");
    for (const request of [
      { image: film, uuid: "patient-9" },
      { image: film, uuid: "patient-9" },
      { images: [film, "***"] },
    ])
      expect(check((await service.post("/v3/predict", request)).body)).toEqual([true, null]);
  });

  it("/v3: describes the request bodies that the service accepts", async () => {
    const document = await documentAt("/v3/openapi.json");
    const bodyOf = (path: string) => document.paths[path]?.["post"]?.requestBody;
    const bodies = [{ image: film }, { images: [film] }, {}, { image: film, images: [film] }];
    for (const path of ["/v3/predict", "/v3/predict/stream"]) {
      const check = checkBy(document, bodyOf(path)?.content["application/json"]?.schema ?? {});
      const statuses = await Promise.all(bodies.map(async (body) => (await service.post(path, body)).status));
      expect([statuses, bodies.map((body) => check(body)[0])]).toEqual([
        [200, 200, 400, 400],
        [true, true, false, false],
      ]);
    }
    for (const { path } of v3Routes.filter(({ method }) => method === "POST")) {
      const { status } = await service.call("POST", path);
      expect([path, bodyOf(path)?.required]).toEqual([path, status !== 200]);
      expect(Object.keys(document.paths[path]?.["post"]?.responses ?? {})).toContain("408");
    }
  });

  it("/v3: describes the events of a stream, with valid events", async () => {
    const document = await documentAt("/v3/openapi.json");
    const content = document.paths["/v3/predict/stream"]?.["post"]?.responses["200"]?.content;
    const check = checkBy(document, content?.["text/event-stream"]?.schema ?? {});
    const { events } = await readStream(service, { images: [film, "***", otherFilm] });
    expect(events.map(({ name }) => name)).toEqual(["processing_started", "photo", "error", "photo", "summary"]);
    for (const { name, data } of events) expect(check({ event: name, data }), name).toEqual([true, null]);
    expect(check({ event: "photo", data: { index: 0 } })[0]).toBe(false);
  });

  it("/usg/v1: requires no key, has CORS headers, and describes valid responses", async () => {
    const open = await service.call("GET", "/usg/v1/openapi.json", undefined, { "x-api-key": undefined });
    expect(open).toMatchObject({ status: 200, headers: { "access-control-allow-origin": "*" } });
    const document = open.body as Document;
    const schemaOf = (path: string, method: string, status: number) =>
      document.paths[path]?.[method]?.responses[status]?.content["application/json"]?.schema ?? {};
    const answers: [string, string, Answer][] = [
      ["/usg/v1/health", "get", await service.call("GET", "/usg/v1/health")],
      ["/usg/v1/version", "get", await service.call("GET", "/usg/v1/version")],
      ["/usg/v1/predict", "post", await service.post("/usg/v1/predict", examplePayload)],
      ["/usg/v1/predict", "post", await service.post("/usg/v1/predict", {})],
    ];
    for (const [path, method, { status, body }] of answers)
      expect(checkBy(document, schemaOf(path, method, status))(body), path).toEqual([true, null]);
    expect(Object.keys(document.paths["/usg/v1/predict"]?.["post"]?.responses ?? {})).toEqual(
      [200, 400, 401, 403, 405, 408, 413, 421, 431, 500, 503].map(String),
    );
    const features = (document.components.schemas["Features"] as { properties: Schemas }).properties;
    expect(Object.keys(features).filter((name) => JSON.stringify(features[name]).includes("correction"))).toEqual([
      "CREATININE",
      "ABSOLUTE LYMPHOCYTES",
    ]);
    const { status } = await service.call("OPTIONS", "/usg/v1/openapi.json", undefined, { "x-api-key": undefined });
    expect(status).toBe(204);
  });
});
