import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../core/app-error.ts";
import type { ServiceCall } from "../services/predict.ts";
import { callerOf } from "./auth.ts";
import { settleOnDelivery } from "./delivery.ts";

/**
 * The call that a request makes: aborted when its client goes away or when it takes too long, and charged only when its answer
 * is written.
 */
export function serviceCall(request: FastifyRequest, reply: FastifyReply): ServiceCall {
  const { context, limits } = request.server;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new AppError("REQUEST_TIMEOUT")), limits.requestTimeoutMs).unref();
  reply.raw.once("close", () => {
    clearTimeout(timer);
    if (!reply.raw.writableFinished) controller.abort(new AppError("ABORTED"));
  });
  request.workSignal = controller.signal;
  settleOnDelivery(reply, context, request.id);
  return { caller: callerOf(request), callId: request.id, signal: controller.signal };
}
