import { AppError } from "../../../core/app-error.ts";
import type { Billing } from "../../../core/contract/v3/billing.ts";
import { engineOf, transaction } from "../../store/engines/engine.ts";
import { assertClockAgrees, reverseCharge } from "../../store/ledger/ledger.ts";
import {
  confirmDelivered,
  deleteUndelivered,
  findUndelivered,
  insertUndelivered,
  listUndelivered,
  linkToRecheck,
} from "../../store/ledger/undelivered-charges.ts";
import { findLostWork } from "../../store/machines/machines.ts";
import { recordAndCharge, unrecorded, type MeteredCall } from "./billing.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

const unanswered = "answer not delivered";
/** Longer than any response takes [ms]. */
const passedOnMs = 10 * 60_000;

type RecordingContext = Pick<ServiceContext, "db" | "now" | "reportFault" | "deliveries">;

export type AnsweredCall = MeteredCall & {
  /** Null for a response that is lost with its connection. */
  readonly answerUntil: Date | null;
};

/**
 * Records a call and its charge, and marks its response as undelivered, in one durable transaction. Until
 * `confirmDelivery` the charge is provisional: a lost connection or a killed program reverses it. Never throws: if the
 * store cannot be written, the response is sent unbilled.
 */
export async function recordAnsweredCall(context: RecordingContext, call: AnsweredCall): Promise<Billing> {
  const { db, now, reportFault, deliveries } = context;
  // A stored response is written in the same transaction as its charge.
  const isProvisional = call.isBillable && call.answerUntil === null;
  if (isProvisional) deliveries.set(call.callId, "begun");
  try {
    return await transaction(db, async () => {
      await assertClockAgrees(db, now());
      const { billing, seq } = await recordAndCharge(db, call);
      const answerUntilMs = call.answerUntil?.getTime() ?? null;
      if (seq !== null) await insertUndelivered(db, { callId: call.callId, seq, answerUntilMs });
      return billing;
    });
  } catch (error) {
    if (isProvisional) markUnbilled(context, call.callId, error);
    return unrecorded(db, call, error, reportFault);
  }
}

/**
 * Marks a call whose transaction with the charge failed; its response reports no charge. If only the reply to COMMIT
 * was lost, the charge may exist and is reversed. On a locked or replaced SQLite file the transaction never began.
 */
export function markUnbilled(
  { db, deliveries }: Pick<ServiceContext, "db" | "deliveries">,
  callId: string,
  error: unknown,
): void {
  const isRefused = error instanceof AppError && ["STORE_BUSY", "STORE_REPLACED"].includes(error.code);
  const isNotBegun = engineOf(db).file !== null && isRefused;
  if (!isNotBegun) deliveries.set(callId, "unbilled");
}

/**
 * Confirms the charge of a delivered response, or reverses it if the response reports no charge. A failed confirmation
 * is retried; until then the charge is provisional, in the customer's favour.
 */
export async function confirmDelivery(context: ServiceContext, callId: string): Promise<void> {
  const { db, log, deliveries } = context;
  if (deliveries.get(callId) === "unbilled") return await withdrawCharge(context, callId);
  try {
    await confirmDelivered(db, callId);
    deliveries.delete(callId);
  } catch (error) {
    deliveries.set(callId, "delivered");
    log.error({ callId, error }, "a delivered response could not be confirmed");
  }
}

/** Stops at the first failure. Delivered responses come first, since they do not depend on the clock. */
export async function settlePendingDeliveries(context: ServiceContext): Promise<void> {
  const { deliveries } = context;
  const pending = [...deliveries].filter(([, state]) => state !== "begun");
  const isLost = ([, state]: (typeof pending)[number]) => Number(state !== "delivered");
  for (const [callId, state] of pending.sort((one, other) => isLost(one) - isLost(other))) {
    await (state === "delivered" ? confirmDelivery(context, callId) : withdrawCharge(context, callId));
    if (deliveries.has(callId)) return;
  }
}

/**
 * Reverses the charge, if any, of a response that could not be sent. If it made a call in flight free, the charge moves
 * to that call. Never throws: a failed reversal is retried.
 *
 * @param canPass  false if no recheck can be in flight
 */
export async function withdrawCharge(
  context: ServiceContext,
  callId: string,
  { canPass = true }: { readonly canPass?: boolean } = {},
): Promise<void> {
  const { db, now, log, reportFault, deliveries } = context;
  const before = deliveries.get(callId);
  try {
    const seq = await transaction(db, async () => {
      const charge = await findUndelivered(db, callId);
      if (!charge || (canPass && (await linkToRecheck(db, charge, now().getTime() + passedOnMs)))) return null;
      await assertClockAgrees(db, now());
      await reverseCharge(db, { seq: charge.seq, note: unanswered, at: now() });
      await deleteUndelivered(db, callId);
      return charge.seq;
    });
    deliveries.delete(callId);
    if (seq !== null) log.info({ seq }, "charge reversed: its response was not delivered");
  } catch (error) {
    const isFirst = before === undefined || before === "begun";
    deliveries.set(callId, isFirst ? "lost" : before);
    log.error({ callId, error }, "the charge of an undelivered response could not be reversed");
    // Retried every 30 seconds, but reported once.
    if (isFirst) reportFault({ code: "LEDGER_NOT_WRITTEN", message: notReversed(error) });
  }
}

function notReversed(error: unknown): string {
  return `The charge of an undelivered response could not be reversed yet: ${String(error)}`;
}

/** Reverses charges whose responses were lost: stored ones once they expire, others once their program has ended. */
export async function withdrawLostCharges(
  context: ServiceContext,
  { isStart }: { readonly isStart: boolean },
): Promise<number> {
  const nowMs = context.now().getTime();
  const undelivered = await listUndelivered(context.db);
  if (undelivered.length === 0) return 0;
  const isLost = await findLostWork(context.db, { isStart });
  const lost = undelivered.filter(({ answerUntilMs, machineId }) =>
    answerUntilMs === null ? isLost(machineId) : answerUntilMs <= nowMs,
  );
  // Another workstation may have a free call for the same patient in flight.
  const isShared = engineOf(context.db).machineId !== null;
  for (const { callId, answerUntilMs } of lost)
    await withdrawCharge(context, callId, { canPass: isShared && answerUntilMs === null });
  return lost.length;
}
