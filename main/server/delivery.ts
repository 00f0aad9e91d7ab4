import type { FastifyReply } from "fastify";
import { confirmDelivery, withdrawIfBegun } from "../services/calls/delivery.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";

/**
 * Lets the charge of a call stand when its answer has been handed to the network, and takes it back when the connection
 * is lost before, or when the caller was told of a failure instead: a service that stops does not wait for a charge
 * that is being recorded. Call it before the answer is sent.
 *
 * @param callId  id under which the call was recorded
 */
export function settleOnDelivery(reply: FastifyReply, context: ServiceContext, callId: string): void {
  let isAnswered = false;
  confirmOnDelivery(reply, context, callId);
  reply.raw.once("finish", () => (isAnswered = hasSucceeded(reply)));
  reply.raw.once("close", () => {
    if (!isAnswered) settle(reply, withdrawIfBegun(context, callId));
  });
}

/** Lets the charge of a call stand when its answer has been handed to the network. */
export function confirmOnDelivery(reply: FastifyReply, context: ServiceContext, callId: string): void {
  reply.raw.once("finish", () => {
    if (hasSucceeded(reply)) settle(reply, confirmDelivery(context, callId));
  });
}

/** Only such an answer carries what is charged for. */
function hasSucceeded({ raw }: FastifyReply): boolean {
  return raw.statusCode === 200;
}

/** Nobody waits for it but who closes the store. */
function settle({ server: { settling } }: FastifyReply, work: Promise<void>): void {
  settling.add(work);
  void work.finally(() => settling.delete(work));
}
