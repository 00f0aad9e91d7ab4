import type { IncomingMessage } from "node:http";

/**
 * A client that was answered may go on sending its body; it is discarded for a while. A connection that is closed at
 * once would be reset, and the client would never read the answer.
 */
export function cutLingering(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.complete || request.destroy(), lingerMs).unref();
  request.once("end", () => clearTimeout(timer));
}
