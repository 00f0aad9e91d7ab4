import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Responds 204 to OPTIONS on a path, without reading the body.
 *
 * @param headers  response headers in addition to those of the enclosing routes
 */
export function answerOptions(
  app: FastifyInstance,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const onRequest = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    await reply.code(204).headers(headers).send();
  app.options(path, { onRequest }, () => undefined);
}
