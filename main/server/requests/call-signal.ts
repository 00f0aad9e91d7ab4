import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import type { ServiceCall } from "../../services/calls/predict.ts";
import { callerOf } from "../auth.ts";
import { settleOnDelivery } from "../delivery.ts";

/**
 * The call that a request makes: aborted when its client goes away or when it takes too long, and charged only when its
 * answer is written. A client that does not take its answer is cut off a while after that.
 */
export function serviceCall(request: FastifyRequest, reply: FastifyReply): ServiceCall {
  const { context, limits, stopping } = request.server;
  const { raw } = reply;
  const controller = new AbortController();
  // Its body has had its part of the time.
  const leftMs = Math.max(0, limits.requestTimeoutMs - reply.elapsedTime);
  const late = setTimeout(() => controller.abort(new AppError("REQUEST_TIMEOUT")), leftMs).unref();
  const untaken = setTimeout(() => raw.destroy(), leftMs + limits.lingerMs).unref();
  const stop = (): void => controller.abort(stopping.signal.reason);
  stopping.signal.addEventListener("abort", stop);
  const end = (): void => {
    stopping.signal.removeEventListener("abort", stop);
    clearTimeout(late);
    clearTimeout(untaken);
    if (!raw.writableFinished) controller.abort(new AppError("ABORTED"));
  };
  // A client may have gone while its images were read: then there is no event to come.
  if (raw.destroyed) end();
  else raw.once("close", end);
  request.workSignal = controller.signal;
  settleOnDelivery(reply, context, request.id);
  return { caller: callerOf(request), callId: request.id, signal: controller.signal };
}
