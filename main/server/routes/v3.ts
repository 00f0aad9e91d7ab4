import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import { v3Routes } from "../../../core/contract/v3/routes.ts";
import { requireKey } from "../auth.ts";
import { answerOptions } from "../requests/answer-options.ts";
import { registerHealthRoutes } from "./health.ts";
import { registerPerspectiveRoutes } from "./perspective.ts";
import { registerPopSessionRoutes } from "./pop-session.ts";
import { registerPredictRoutes } from "./predict.ts";

export function registerV3(app: FastifyInstance): void {
  app.register(async (v3) => {
    v3.addHook("onRequest", requireKey("INVALID_API_KEY"));
    // Responses contain patient data and must not be cached.
    v3.addHook("onSend", async (_request, reply) => void reply.header("cache-control", "no-store"));
    registerHealthRoutes(v3);
    registerPredictRoutes(v3);
    registerPerspectiveRoutes(v3);
    registerPopSessionRoutes(v3);
    refuseOtherMethods(v3);
  });
  app.register(async (open) => registerOptions(open));
}

function allowedMethods(path: string): string[] {
  const methods = v3Routes.filter((route) => route.path === path).map((route) => route.method);
  return ["OPTIONS", ...methods, ...(methods.some((method) => method === "GET") ? ["HEAD"] : [])].sort();
}

/** Other methods on a known path get 405 with the allowed methods. */
function refuseOtherMethods(v3: FastifyInstance): void {
  for (const { path } of v3Routes) {
    const allowed = allowedMethods(path);
    const method = v3.supportedMethods.filter((name) => !allowed.includes(name));
    const refuse = async (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
      reply.header("allow", allowed.join(", "));
      throw new AppError("METHOD_NOT_ALLOWED");
    };
    v3.route({ method, url: path, preParsing: refuse, handler: refuse });
  }
}

/** OPTIONS returns the methods of a path without a key, and without CORS headers: other origins have no access. */
function registerOptions(app: FastifyInstance): void {
  for (const { path } of v3Routes) answerOptions(app, path, { allow: allowedMethods(path).join(", ") });
}
