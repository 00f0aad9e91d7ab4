import type { IncomingMessage } from "node:http";

/**
 * Closes the connection of a client that is still sending its body `lingerMs` after the response. Closing at once would
 * reset the connection before the client has read the response.
 */
export function discardLateBody(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.complete || request.destroy(), lingerMs).unref();
  request.once("end", () => clearTimeout(timer));
}
