import https from "node:https";
import { createParser } from "eventsource-parser";
import type { StreamEventName } from "../../../core/contract/v3/predict.ts";
import type { ServiceUnderTest } from "./service-under-test.ts";

export type StreamEvent = { readonly name: StreamEventName; readonly data: Record<string, unknown> };

export type ReadStream = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly events: readonly StreamEvent[];
};

/** Reads POST /v3/predict/stream with a generic parser; closes the connection once `isEnough` returns true. */
export function readStream(
  service: Pick<ServiceUnderTest, "baseUrl" | "key" | "authority">,
  body: object,
  isEnough: (event: StreamEvent) => boolean = () => false,
): Promise<ReadStream> {
  return new Promise((resolve, reject) => {
    const events: StreamEvent[] = [];
    let text = "";
    const options = {
      method: "POST",
      ca: service.authority,
      headers: { "x-api-key": service.key, "content-type": "application/json" },
    };
    const request = https.request(`${service.baseUrl}/v3/predict/stream`, options, (response) => {
      const finish = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text, events });
      const parser = createParser({
        onEvent: ({ event, data }) => {
          events.push({ name: event as StreamEventName, data: JSON.parse(data) as Record<string, unknown> });
          if (!isEnough(events.at(-1) as StreamEvent)) return;
          finish();
          request.destroy();
        },
      });
      const take = (chunk: string) => {
        text += chunk;
        parser.feed(chunk);
      };
      response.setEncoding("utf8").on("data", take).on("error", reject).on("end", finish);
    });
    request.on("error", reject).end(JSON.stringify(body));
  });
}
