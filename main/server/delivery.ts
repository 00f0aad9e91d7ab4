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
  let isWritten = false;
  confirmOnDelivery(reply, context, callId);
  reply.raw.once("finish", () => (isWritten = true));
  reply.raw.once("close", () => {
    if (!isWritten) settle(reply, withdrawCharge(context, callId));
  });
}

/** Lets the charge of a call stand when its answer has been handed to the network. */
export function confirmOnDelivery(reply: FastifyReply, context: ServiceContext, callId: string): void {
  reply.raw.once("finish", () => settle(reply, confirmDelivery(context, callId)));
}

/** Nobody waits for it but who closes the store. */
function settle({ server: { settling } }: FastifyReply, work: Promise<void>): void {
  settling.add(work);
  void work.finally(() => settling.delete(work));
}
