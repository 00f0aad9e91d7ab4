import type { FastifyReply } from "fastify";

export type EventStream = {
  send(event: string, data: unknown): void;
  end(): void;
};

/**
 * Takes the response over and begins an event stream; a comment goes out whenever `heartbeatMs` have passed, so that
 * proxies and clients see that the connection lives.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function openEventStream(reply: FastifyReply, heartbeatMs: number): EventStream {
  reply.hijack();
  const response = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  const heartbeat = setInterval(() => response.write(": waiting\n\n"), heartbeatMs).unref();
  response.once("close", () => clearInterval(heartbeat));
  return {
    send: (event, data) => void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end() {
      clearInterval(heartbeat);
      response.end();
    },
  };
}
