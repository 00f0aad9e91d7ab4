import { z } from "zod";
import { errorBody, streamEvents } from "./v3.ts";
import { v3Routes, type V3Route } from "./v3-routes.ts";

const everyRoute = [403, 405, 421, 429, 500, 503, 507] as const;
const meanings: Readonly<Record<number, string>> = {
  400: "Missing or invalid fields, not JSON, or not an image",
  403: "Invalid or missing API key",
  404: "Session not found",
  405: "Method not allowed",
  408: "The request took longer than 300 seconds",
  413: "An image exceeds 10 MB, or the body is too large",
  415: "Content-Type is not application/json",
  421: "Host not allowed",
  422: "Corner detection failed",
  429: "Too many images waiting; see Retry-After",
  500: "Internal server error",
  503: "The networks that this needs are not loaded, or the machine has no more open files",
  507: "The machine's disk is full",
};

/**
 * The OpenAPI 3.1 document of /v3, made from the schemas that the server checks with.
 *
 * @param version  version of the program
 */
export function openApiDocument(version: string): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of v3Routes) paths[route.path] = { [route.method.toLowerCase()]: operationOf(route) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Corvet cardiac measurement service",
      version,
      description:
        "Vertebral heart score and left atrial size of dogs on lateral chest radiographs. Not clinically validated.",
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
      schemas: { Error: jsonSchema(errorBody) },
    },
    paths,
  };
}

function operationOf(route: V3Route) {
  const errors = [...new Set([...route.errors, ...everyRoute])].sort((a, b) => a - b);
  return {
    operationId: route.path.slice(1).replaceAll(/[/.-]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: route.summary,
    ...(route.request && {
      requestBody: { required: true, content: { "application/json": { schema: jsonSchema(route.request) } } },
    }),
    responses: {
      200: {
        description: "Success",
        content: { [route.mediaType ?? "application/json"]: { schema: responseSchema(route) } },
      },
      ...Object.fromEntries(errors.map((status) => [status, errorResponse(status)])),
    },
  };
}

function responseSchema(route: V3Route) {
  if (route.response) return jsonSchema(route.response);
  if (route.mediaType !== "text/event-stream") return { type: "object" };
  const events = Object.entries(streamEvents).map(([name, data]) => ({ title: name, ...jsonSchema(data) }));
  return {
    type: "string",
    description: "Events processing_started, photo, error, summary, each with JSON data",
    "x-events": events,
  };
}

function errorResponse(status: number) {
  return {
    description: meanings[status] ?? "Error",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

/** What a client may send, or must expect to read: the schema without what only our own checks know. */
function jsonSchema(schema: z.ZodType) {
  return { ...z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" }), $schema: undefined };
}
