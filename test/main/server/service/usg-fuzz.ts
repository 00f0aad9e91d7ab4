import fc from "fast-check";
import { expect } from "vitest";
import { usgErrorSchema, usgPredictionSchema } from "../../../../core/contract/usg-v1.ts";
import { usgFeatures } from "../../../../core/usg/features.ts";
import { examplePayload } from "../../../core/usg/example-payload.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { openUsgServer } from "./usg-server.ts";

const documented: Readonly<Record<string, number>> = {
  invalid_json: 400,
  invalid_payload: 400,
  missing_features: 400,
  out_of_range: 400,
  invalid_value: 400,
  missing_api_key: 401,
  invalid_api_key: 403,
};

const keys = [
  ...usgFeatures.map(({ key }) => key as string),
  "clinic_code",
  "uuid",
  "data",
  "__proto__",
  "constructor",
  "toString",
  "bun",
];
const number = fc.oneof(
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    0.05,
    49.99,
    50,
    50.01,
    88.4,
    1,
    30,
    300,
    360,
    50_000,
    1e308,
    -1e308,
    5e-324,
    Number.MAX_SAFE_INTEGER,
  ),
  ...usgFeatures.map(({ minimum, maximum }) => fc.double({ min: minimum, max: maximum, noNaN: true })),
);
const value = fc.oneof(
  { weight: 4, arbitrary: number },
  { weight: 2, arbitrary: number.map(String) },
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
);
const changed = fc.dictionary(fc.constantFrom(...keys), value).map((changes) => ({ ...examplePayload, ...changes }));
const object = fc.oneof(changed, fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), value));
const json = fc
  .oneof({ weight: 6, arbitrary: object }, { weight: 2, arbitrary: object.map((data) => ({ data })) }, fc.jsonValue())
  .map((body) => JSON.stringify(body));
const broken = fc
  .tuple(json, fc.nat(), fc.string())
  .map(
    ([text, place, piece]) =>
      text.slice(0, place % (text.length + 1)) + piece + text.slice((place % (text.length + 1)) + 1),
  );
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const body = fc.oneof(
  { weight: 8, arbitrary: json },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: bytes },
);
const headers = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  fc.record({ "x-api-key": fc.constantFrom("", "x", "corvet_") }),
  fc.record({ "content-type": fc.constantFrom("text/plain", "x", "application/json; charset=utf-16") }),
);

/** Sends generated bodies to /usg/v1 and expects a prediction or a documented error, never 500. */
export async function fuzzUsg(bodies: number): Promise<void> {
  const server = await openUsgServer();
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(body, headers, async (sent, extra) => {
      const answer = await server.predict(sent, extra);
      const code = answer.statusCode === 200 ? "200" : usgErrorSchema.parse(answer.json()).error.code;
      if (code === "200") usgPredictionSchema.parse(answer.json());
      else expect(documented[code]).toBe(answer.statusCode);
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      seen.set(code, (seen.get(code) ?? 0) + 1);
    }),
    { numRuns: bodies, seed: 20261121 },
  );
  // Every documented error must have occurred.
  expect([...seen.keys()].sort()).toEqual([
    "200",
    "invalid_api_key",
    "invalid_json",
    "invalid_payload",
    "invalid_value",
    "missing_features",
    "out_of_range",
  ]);
  expect([server.faults, await rawly(server.context.db, "SELECT count(*) AS n FROM usg_predictions")]).toEqual([
    [],
    [{ n: seen.get("200") }],
  ]);
  await server.close();
}
