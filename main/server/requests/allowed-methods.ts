import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";

/** Responds 204 with the allowed methods to OPTIONS on a path, without reading the body. */
export function answerOptions(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const onRequest = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    await reply.code(204).header("allow", allowed.join(", ")).send();
  app.options(path, { onRequest }, () => undefined);
}

export function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const refuse = async (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header("allow", allowed.join(", "));
    throw new AppError("METHOD_NOT_ALLOWED");
  };
  const method = app.supportedMethods.filter((name) => !allowed.includes(name));
  app.route({ method, url: path, preParsing: refuse, handler: refuse });
}
