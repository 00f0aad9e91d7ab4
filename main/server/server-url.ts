import type { FastifyRequest } from "fastify";

/** OpenAPI linters report localhost as a leftover of development, so it is replaced by 127.0.0.1. */
export function serverUrlOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host.replace(/^localhost(?=:|$)/i, "127.0.0.1")}`;
}
