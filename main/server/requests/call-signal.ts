import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import type { ServiceCall } from "../../services/calls/predict.ts";
import { callerOf } from "../auth.ts";
import { settleOnDelivery } from "../delivery.ts";

/** Aborted when the client disconnects or the time limit passes; charged once its response is written. */
export function serviceCall(request: FastifyRequest, reply: FastifyReply): ServiceCall {
  const { context, limits, stopping } = request.server;
  const { raw } = reply;
  const controller = new AbortController();
  // Reading the body counts towards the time limit.
  const leftMs = Math.max(0, limits.requestTimeoutMs - reply.elapsedTime);
  const late = setTimeout(() => controller.abort(new AppError("REQUEST_TIMEOUT")), leftMs).unref();
  const unreadTimer = setTimeout(() => raw.destroy(), leftMs + limits.lingerMs).unref();
  const stop = (): void => controller.abort(stopping.signal.reason);
  stopping.signal.addEventListener("abort", stop);
  const end = (): void => {
    stopping.signal.removeEventListener("abort", stop);
    clearTimeout(late);
    clearTimeout(unreadTimer);
    if (!raw.writableFinished) controller.abort(new AppError("ABORTED"));
  };
  // If the client disconnected while its images were read, there will be no close event.
  if (raw.destroyed) end();
  else raw.once("close", end);
  request.workSignal = controller.signal;
  settleOnDelivery(reply, context, request.id);
  return { caller: callerOf(request), callId: request.id, signal: controller.signal };
}
