import type { DesktopEvent } from "../../core/contract/desktop/events.ts";
import { pageHeaders } from "./page/page-policy.ts";

/** Interval of comment lines, which keep the connection alive and reveal a closed page [ms]. */
const heartbeatMs = 15_000;

/** Interval at which a disconnected page tries to reconnect [ms]. */
const reconnectMs = 1000;

/** Streams the program's events as Server-Sent Events until the page closes or `signal` aborts. */
export function eventStream(
  subscribe: (listener: (event: DesktopEvent) => void) => () => void,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const unsubscribe = subscribe((event) => send(`data: ${JSON.stringify(event)}\n\n`));
      const heartbeat = setInterval(() => send(":\n\n"), heartbeatMs);
      ended.signal.addEventListener("abort", () => {
        clearInterval(heartbeat);
        unsubscribe();
      });
      const end = () => {
        if (ended.signal.aborted) return;
        ended.abort();
        controller.close();
      };
      signal.addEventListener("abort", end);
      send(`retry: ${reconnectMs}\n\n`);
      if (signal.aborted) end();
    },
    cancel: () => ended.abort(),
  });
  return new Response(body, {
    headers: { ...pageHeaders, "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}
