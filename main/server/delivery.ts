import type { FastifyReply } from "fastify";
import { confirmDelivery, withdrawCharge } from "../services/calls/delivery.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";

/**
 * Confirms the charge of a call once its response has been passed to the network. Withdraws it if the connection is
 * lost before that or the response is an error, which happens when a stopping service responds before the charge is
 * recorded. Must be called before the response is sent.
 *
 * @param callId  id under which the call was recorded
 */
export function settleOnDelivery(reply: FastifyReply, context: ServiceContext, callId: string): void {
  let isAnswered = false;
  // Free and refused calls need no write.
  const hasBegun = () => context.deliveries.has(callId);
  reply.raw.once("finish", () => {
    isAnswered = hasSucceeded(reply);
    if (isAnswered && hasBegun()) settle(reply, confirmDelivery(context, callId));
  });
  reply.raw.once("close", () => {
    if (!isAnswered && hasBegun()) settle(reply, withdrawCharge(context, callId));
  });
}

export function confirmOnDelivery(reply: FastifyReply, context: ServiceContext, callId: string): void {
  reply.raw.once("finish", () => {
    if (hasSucceeded(reply)) settle(reply, confirmDelivery(context, callId));
  });
}

/** Only a response with status 200 carries a charged result. */
function hasSucceeded({ raw }: FastifyReply): boolean {
  return raw.statusCode === 200;
}

/** Tracks work that must end before the store closes; the response does not wait for it. */
function settle({ server: { settling } }: FastifyReply, work: Promise<void>): void {
  settling.add(work);
  void work.finally(() => settling.delete(work));
}
