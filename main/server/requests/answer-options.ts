import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Answers OPTIONS on a path with 204, before the body is read, which is ignored.
 *
 * @param headers  of the response, added to those of the surrounding routes
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
