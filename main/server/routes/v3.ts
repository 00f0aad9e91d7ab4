import type { FastifyInstance } from "fastify";
import { v3Routes } from "../../../core/contract/v3/routes.ts";
import { requireKey } from "../auth.ts";
import { answerOptions, refuseOtherMethods } from "../requests/allowed-methods.ts";
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
    for (const { path } of v3Routes) refuseOtherMethods(v3, path, allowedMethods(path));
  });
  // Needs no key. Without CORS headers, other origins have no access.
  app.register(async (open) => {
    for (const { path } of v3Routes) answerOptions(open, path, allowedMethods(path));
  });
}

function allowedMethods(path: string): string[] {
  const methods = v3Routes.filter((route) => route.path === path).map((route) => route.method);
  return ["OPTIONS", ...methods, ...(methods.some((method) => method === "GET") ? ["HEAD"] : [])].sort();
}
