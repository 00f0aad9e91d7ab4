import type { FastifyRequest } from "fastify";

/**
 * Base URL of a request, for OpenAPI documents. localhost is replaced by 127.0.0.1, since OpenAPI linters report
 * localhost as a leftover of development.
 */
export function serverUrlOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host.replace(/^localhost(?=:|$)/i, "127.0.0.1")}`;
}
