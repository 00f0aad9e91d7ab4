import type { IncomingMessage } from "node:http";

/**
 * Replaces a request target in absolute form by its path and query, and the Host header by the target's authority,
 * which takes precedence (RFC 9112, 3.2.2). A missing authority, or one with credentials, becomes an empty host.
 */
export function resolveTarget(request: IncomingMessage): void {
  const { url = "/" } = request;
  if (url.startsWith("/") || !url.includes(":")) return;
  const target = URL.parse(url);
  request.headers.host = target && target.username === "" && target.password === "" ? target.host : "";
  request.url = addressOf(url);
}

export function addressOf(target: string): string {
  if (target.startsWith("/")) return target;
  const whole = URL.parse(target);
  return whole ? `${whole.pathname}${whole.search}` : "/";
}
