import type { z } from "zod";
import { streamEvents, type StreamEventName } from "../../core/contract/v3/predict.ts";
import { errorBody } from "../../core/contract/v3/values.ts";
import { v3Routes } from "../../core/contract/v3/routes.ts";
import type { FuzzRequest } from "./request-fuzzer.ts";
import type { ServiceAnswer } from "../../tools/service-client.ts";

/** Statuses that are not faults. 503 would be expected only without networks. */
const expected = new Set([200, 204, 400, 403, 404, 405, 413, 415, 422, 429]);
const responses = new Map<string, z.ZodType | null>(v3Routes.map(({ path, response }) => [path, response]));

/** Checks status and body against the contract. @returns a description of the fault, null without one */
export function faultOfResponse({ path }: FuzzRequest, { status, text, headers }: ServiceAnswer): string | null {
  if (!expected.has(status)) return `status ${status}`;
  if (status === 204) return null;
  if (status !== 200) return faultOfJson(errorBody, text);
  if (String(headers["content-type"]).startsWith("text/event-stream")) return faultOfStream(text);
  const response = responses.get(path);
  return response ? faultOfJson(response, text) : `a response of type ${headers["content-type"]}`;
}

function faultOfJson(schema: z.ZodType, text: string): string | null {
  try {
    return schema.safeParse(JSON.parse(text)).success ? null : `wrong shape: ${text.slice(0, 200)}`;
  } catch {
    return `not JSON: ${text.slice(0, 200)}`;
  }
}

/** Checks the order of events (section 6): `processing_started`, `photo` or `error` per image, `summary`. */
function faultOfStream(text: string): string | null {
  const events = text.split("\n\n").filter((block) => block !== "" && !block.startsWith(":"));
  const names: string[] = [];
  for (const event of events) {
    const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
    const schema = Object.hasOwn(streamEvents, name) ? streamEvents[name as StreamEventName] : null;
    const fault = schema ? faultOfJson(schema, data) : `unknown event: ${event.slice(0, 200)}`;
    if (fault !== null) return fault;
    names.push(name);
  }
  return /^processing_started( (photo|error))+ summary$/.test(names.join(" "))
    ? null
    : `events in the order ${names.join(" ")}`;
}
