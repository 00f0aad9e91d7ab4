import { AppError } from "../../core/app-error.ts";
import { loopbackNames } from "./tls.ts";

/**
 * A page of another origin that points its own name at 127.0.0.1 (DNS rebinding) still sends that name as Host.
 *
 * @param configuredHosts  names beside the loopback ones
 */
export function createHostCheck(configuredHosts: readonly string[]): (host: string | undefined) => boolean {
  const allowed = new Set([...loopbackNames, ...configuredHosts].map((name) => name.toLowerCase()));
  return (host) => host !== undefined && allowed.has(hostNameOf(host));
}

/** @throws AppError WRONG_HOST */
export function assertHost(isAllowed: (host: string | undefined) => boolean, host: string | undefined): void {
  if (!isAllowed(host)) throw new AppError("WRONG_HOST");
}

/** Name without port, IPv6 without brackets, one trailing dot of an absolute name dropped. */
function hostNameOf(host: string): string {
  const name = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(host)?.[1] ?? /^([^:]*)(?::\d{1,5})?$/.exec(host)?.[1] ?? "";
  return name.toLowerCase().replace(/\.$/, "");
}
