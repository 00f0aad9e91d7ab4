import type { IncomingMessage } from "node:http";
import { AppError } from "../../core/app-error.ts";
import { loopbackNames } from "./tls/tls.ts";

export type HostCheck = (request: IncomingMessage) => AppError | null;

/**
 * Protects against DNS rebinding: a page of another origin that resolves to 127.0.0.1 still sends its own host name.
 * Two Host headers are refused, because Node returns only the first and a proxy in front may use the other.
 *
 * @param configuredHosts  allowed names in addition to the loopback names
 */
export function createHostCheck(configuredHosts: readonly string[]): HostCheck {
  const allowed = new Set([...loopbackNames, ...configuredHosts].map((name) => name.toLowerCase()));
  return ({ headers: { host }, rawHeaders }) => {
    const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length;
    if (count > 1) return new AppError("INVALID_FIELD", "Invalid header: Host must be sent once");
    return host !== undefined && allowed.has(hostNameOf(host)) ? null : new AppError("WRONG_HOST");
  };
}

/** Name without port, IPv6 brackets or the trailing dot of an absolute name. */
function hostNameOf(host: string): string {
  const name = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(host)?.[1] ?? /^([^:]*)(?::\d{1,5})?$/.exec(host)?.[1] ?? "";
  return name.toLowerCase().replace(/\.$/, "");
}
