import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import { v3Routes } from "../../../core/contract/v3/routes.ts";
import { settlePendingDeliveries, withdrawLostCharges } from "../../services/calls/delivery.ts";
import { purgePopSessions } from "../../services/calls/pop-session.ts";
import { requireKey } from "../auth.ts";
import { answerOptions } from "../requests/answer-options.ts";
import { registerHealthRoutes } from "./health.ts";
import { registerPerspectiveRoutes } from "./perspective.ts";
import { registerPopSessionRoutes } from "./pop-session.ts";
import { registerPredictRoutes } from "./predict.ts";

/** Capture sessions that are over are looked for this often [ms]. */
const sweepIntervalMs = 30_000;

export function registerV3(app: FastifyInstance): void {
  app.register(async (v3) => {
    v3.addHook("onRequest", requireKey("INVALID_API_KEY"));
    // Patients' values: no cache between here and the client keeps them.
    v3.addHook("onSend", async (_request, reply) => void reply.header("cache-control", "no-store"));
    registerHealthRoutes(v3);
    registerPredictRoutes(v3);
    registerPerspectiveRoutes(v3);
    registerPopSessionRoutes(v3);
    refuseOtherMethods(v3);
  });
  app.register(async (open) => sayMethods(open));
  keepHouse(app);
}

function allowedMethods(path: string): string[] {
  const methods = v3Routes.filter((route) => route.path === path).map((route) => route.method);
  return ["OPTIONS", ...methods, ...(methods.some((method) => method === "GET") ? ["HEAD"] : [])].sort();
}

/** A known path with another method is 405, with the methods that it has. */
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

/** OPTIONS returns the methods of a path and needs no key. It carries no CORS header: other origins have no access. */
function sayMethods(app: FastifyInstance): void {
  for (const { path } of v3Routes) answerOptions(app, path, { allow: allowedMethods(path).join(", ") });
}

/**
 * Charges whose answers were lost are taken back and sessions that are over forgotten: at start, and while the service
 * runs.
 */
function keepHouse(app: FastifyInstance): void {
  const { context } = app;
  const sweep = async (isStart: boolean): Promise<void> => {
    try {
      await settlePendingDeliveries(context);
      await withdrawLostCharges(context, { isStart });
      await purgePopSessions(context);
    } catch (error) {
      context.log.error({ error }, "house-keeping failed");
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let sweeping = Promise.resolve();
  app.addHook("onReady", async () => {
    await sweep(true);
    timer = setInterval(() => {
      sweeping = sweeping.then(() => sweep(false));
    }, sweepIntervalMs).unref();
  });
  app.addHook("onClose", async () => {
    clearInterval(timer);
    await sweeping;
    await settlePendingDeliveries(context);
  });
}
