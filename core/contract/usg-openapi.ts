import { identifier } from "../identifiers.ts";
import { usgFeatures } from "../usg/features.ts";
import { correctionRule } from "../usg/unit-correction.ts";
import { component, documentOf, jsonContent, jsonSchema, type JsonObject } from "./openapi-parts.ts";
import { usgErrorSchema, usgHealthSchema, usgPredictionSchema, usgPrefix, usgVersionSchema } from "./usg-v1.ts";

const everyRoute = [400, 405, 408, 421, 431, 500] as const;
const meanings: Readonly<Record<number, string>> = {
  400: "invalid_json, invalid_payload, missing_features, invalid_value or out_of_range; invalid_payload: not HTTP",
  401: "missing_api_key",
  403: "invalid_api_key",
  405: "Method not allowed",
  408: "internal_error: the request took too long to arrive and can be retried",
  413: "invalid_payload: the body is larger than 64 KiB",
  421: "Host not allowed",
  431: "invalid_payload: the headers are larger than 16 KiB",
  500: "internal_error",
  503: "internal_error: no screening model is loaded, the database is away, or the service is stopping",
};

type ScreeningModel = {
  readonly sgCutoff: number;
  readonly release: { readonly publisher: string; readonly releasedBy: string } | null;
};

/** OpenAPI 3.1 document of /usg/v1; `model` is null if none is loaded. */
export function usgOpenApiDocument(version: string, serverUrl: string, model: ScreeningModel | null): JsonObject {
  const cutoff = model === null ? "its model's cutoff" : `a specific gravity of ${model.sgCutoff}`;
  const validation = model?.release
    ? `Clinically validated, released by ${model.release.releasedBy} (${model.release.publisher}).`
    : "Not clinically validated.";
  return documentOf({
    title: "Corvet urine concentration screening",
    description: `Estimates from five bloodwork values whether a cat's urine is below ${cutoff}. ${validation}`,
    version,
    serverUrl,
    schemas: {
      Error: jsonSchema(usgErrorSchema),
      Features: featuresSchema(),
      Health: jsonSchema(usgHealthSchema),
      Version: jsonSchema(usgVersionSchema),
      Prediction: jsonSchema(usgPredictionSchema),
    },
    paths: {
      [`${usgPrefix}/health`]: { get: openOperation("usgHealth", "Liveness probe", component("Health"), [503]) },
      [`${usgPrefix}/version`]: {
        get: openOperation("usgVersion", "Model version, features and thresholds", component("Version"), [503]),
      },
      [`${usgPrefix}/predict`]: { post: predictOperation(), options: preflightOperation() },
      [`${usgPrefix}/openapi.json`]: { get: openOperation("usgOpenapiJson", "This document", { type: "object" }, []) },
    },
  });
}

function predictOperation(): JsonObject {
  const wrapped = { type: "object", required: ["data"], properties: { data: component("Features") } };
  return {
    operationId: "usgPredict",
    summary: "Screen one cat",
    requestBody: { required: true, content: jsonContent({ anyOf: [component("Features"), wrapped] }) },
    responses: responsesOf(component("Prediction"), [401, 403, 413, 503, ...everyRoute]),
  };
}

function preflightOperation(): JsonObject {
  return {
    operationId: "usgPredictPreflight",
    summary: "CORS preflight",
    security: [],
    responses: { 204: { description: "No content" }, ...errorResponses(everyRoute.filter((status) => status !== 405)) },
  };
}

function openOperation(
  operationId: string,
  summary: string,
  schema: JsonObject,
  errors: readonly number[],
): JsonObject {
  return { operationId, summary, security: [], responses: responsesOf(schema, [...errors, ...everyRoute]) };
}

function responsesOf(schema: JsonObject, errors: readonly number[]): JsonObject {
  return {
    200: { description: "Success", content: jsonContent(schema) },
    ...errorResponses(errors),
  };
}

function errorResponses(errors: readonly number[]): JsonObject {
  const content = jsonContent(component("Error"));
  return Object.fromEntries(errors.map((status) => [status, { description: meanings[status] ?? "Error", content }]));
}

/** Section 2.1. The ranges apply after unit correction, so they are described but not set as bounds. */
function featuresSchema(): JsonObject {
  const feature = ({ key, label, minimum, maximum }: (typeof usgFeatures)[number]): JsonObject => {
    const rule = correctionRule(key);
    const correction = rule === null ? "" : ` after correction of the unit: a value ${rule} (reported in \`warnings\`)`;
    return { type: ["number", "string"], description: `${label}, ${minimum}–${maximum}${correction}` };
  };
  const orNull = (description: string): JsonObject => ({
    anyOf: [jsonSchema(identifier), { type: "null" }],
    description,
  });
  return {
    type: "object",
    required: usgFeatures.map(({ key }) => key),
    properties: {
      ...Object.fromEntries(usgFeatures.map((entry) => [entry.key, feature(entry)])),
      uuid: orNull("patient identifier: enables the 24 h recheck grace"),
      clinic_code: orNull("clinic identifier for the reports"),
    },
  };
}
