import type { FastifyReply } from "fastify";
import { confirmDelivery, withdrawCharge } from "../services/calls/delivery.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";

/**
 * Lets the charge of a call stand when its answer has been handed to the network, and takes it back when the connection
 * is lost before. Call it before the answer is sent.
 *
 * @param callId  id under which the call was recorded
 */
export function settleOnDelivery(reply: FastifyReply, context: ServiceContext, callId: string): void {
  const response = reply.raw;
  response.once("finish", () => confirmDelivery(context, callId));
  response.once("close", () => {
    if (!response.writableFinished) withdrawCharge(context, callId);
  });
}
