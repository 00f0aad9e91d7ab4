import type { DesktopEvent } from "../../core/contract/desktop.ts";
import { pageHeaders } from "./page-policy.ts";

/** A comment line this often keeps the connection and shows a page that is gone [ms]. */
const heartbeatMs = 15_000;

/** The program's events as Server-Sent Events, until the page goes away. */
export function eventStream(subscribe: (listener: (event: DesktopEvent) => void) => () => void, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const unsubscribe = subscribe((event) => send(`data: ${JSON.stringify(event)}\n\n`));
      const heartbeat = setInterval(() => send(":\n\n"), heartbeatMs);
      end = () => {
        clearInterval(heartbeat);
        unsubscribe();
        end = () => undefined;
      };
      signal.addEventListener("abort", () => end(), { once: true });
      send(":\n\n");
    },
    cancel: () => end(),
  });
  return new Response(body, { headers: { ...pageHeaders, "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" } });
}
