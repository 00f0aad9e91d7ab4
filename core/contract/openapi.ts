import { component, documentOf, jsonContent, jsonSchema, type JsonObject } from "./openapi-parts.ts";
import { streamEvents } from "./v3/predict.ts";
import { errorBody } from "./v3/values.ts";
import { v3Routes, type V3Route } from "./v3/routes.ts";

const everyRoute = [400, 403, 405, 408, 421, 429, 431, 500, 503, 507] as const;
const meanings: Readonly<Record<number, string>> = {
  400: "Missing or invalid fields, not JSON, not an image, or not HTTP",
  403: "Invalid or missing API key",
  404: "Session not found",
  405: "Method not allowed",
  408: "The request took longer than 300 seconds",
  413: "An image exceeds 10 MB, or the body is too large",
  415: "Content-Type is not application/json",
  421: "Host not allowed",
  422: "Corner detection failed",
  429: "Too many images waiting; see Retry-After",
  431: "The headers are larger than 16 KiB",
  500: "Internal server error",
  503: "Networks not loaded, database away, service stopping, decoding interrupted, or too many open files",
  507: "The disk is full",
};

/** OpenAPI 3.1 document of /v3, generated from the server's schemas. */
export function openApiDocument(version: string, serverUrl: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of v3Routes) paths[route.path] = { [route.method.toLowerCase()]: operationOf(route) };
  return documentOf({
    title: "Corvet cardiac measurement service",
    description:
      "Vertebral heart score and left atrial size of dogs on lateral chest radiographs. Not clinically validated.",
    version,
    serverUrl,
    schemas: { Error: jsonSchema(errorBody), ...eventSchemas(), StreamEvent: streamEventSchema() },
    paths,
  });
}

function operationOf(route: V3Route): JsonObject {
  const errors = [...new Set([...route.errors, ...everyRoute])].sort((a, b) => a - b);
  return {
    operationId: route.path.slice(1).replaceAll(/[/.-]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: route.summary,
    ...(route.request && {
      requestBody: { required: !route.isBodyOptional, content: jsonContent(jsonSchema(route.request)) },
    }),
    responses: {
      200: { description: route.mediaType ? "Server-sent events" : "Success", content: successContent(route) },
      ...Object.fromEntries(errors.map((status) => [status, errorResponse(status)])),
    },
  };
}

function successContent({ response, mediaType }: V3Route): JsonObject {
  if (mediaType !== undefined) return { [mediaType]: { schema: component("StreamEvent") } };
  return jsonContent(response ? jsonSchema(response) : { type: "object" });
}

type EventName = keyof typeof streamEvents;
const eventNames = Object.keys(streamEvents) as EventName[];

/** Schema name of an event's data: StreamProcessingStarted, StreamPhoto, StreamError, StreamSummary. */
const dataName = (name: EventName): string =>
  `Stream${name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

function eventSchemas(): JsonObject {
  return Object.fromEntries(eventNames.map((name) => [dataName(name), jsonSchema(streamEvents[name])]));
}

/** OpenAPI 3.1 cannot describe a stream, so the schema is that of one event. */
function streamEventSchema(): JsonObject {
  return {
    description:
      "One event of the stream: `event` is its name, `data` its JSON. First processing_started, then photo or error " +
      "for each image, last summary.",
    oneOf: eventNames.map((name) => ({
      title: name,
      type: "object",
      required: ["event", "data"],
      properties: { event: { const: name }, data: component(dataName(name)) },
    })),
  };
}

function errorResponse(status: number): JsonObject {
  return { description: meanings[status] ?? "Error", content: jsonContent(component("Error")) };
}
