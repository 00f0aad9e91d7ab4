import type { IncomingMessage } from "node:http";

/** Closing at once would reset the connection of a sending client before it has read the response. */
export function discardLateBody(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.complete || request.destroy(), lingerMs).unref();
  request.once("end", () => clearTimeout(timer));
}
