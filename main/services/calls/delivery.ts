import type { BillingObject } from "../../../core/billing/billing-object.ts";
import { transaction } from "../../store/engines/engine.ts";
import { assertClockNotBehind, reverseCharge } from "../../store/ledger/ledger.ts";
import {
  confirmDelivered,
  deleteUndelivered,
  findUndelivered,
  insertUndelivered,
  listUndelivered,
  passToRecheck,
  type UndeliveredCharge,
} from "../../store/ledger/undelivered-charges.ts";
import { lostWork } from "../../store/machines.ts";
import { recordBillableMeasurement, unrecorded, type MeteredCall } from "./billing.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

const unanswered = "answer not delivered";
/** Longer than any answer is on its way [ms]. */
const passedOnMs = 10 * 60_000;

/** A call that is about to be answered over the network. */
export type AnsweredCall = MeteredCall & {
  /** Unique; `confirmDelivery` and `withdrawCharge` name it. */
  readonly callId: string;
  /** The answer is kept and can be fetched until then; null when it is lost with its connection. */
  readonly answerUntil: Date | null;
};

/**
 * Records a call like `recordBillableMeasurement`, and in the same transaction that its answer is still to be written.
 * Until `confirmDelivery` the charge is provisional: a connection that is lost or a program that is killed takes it
 * back.
 */
export async function recordAnsweredCall(
  { db, now, reportFault }: Pick<ServiceContext, "db" | "now" | "reportFault">,
  call: AnsweredCall,
): Promise<BillingObject> {
  try {
    return await transaction(db, async () => {
      await assertClockNotBehind(db, now());
      const billing = await recordBillableMeasurement(db, call, reportFault);
      if (billing.billable)
        await insertUndelivered(db, { callId: call.callId, answerUntilMs: call.answerUntil?.getTime() ?? null });
      return billing;
    });
  } catch (error) {
    return unrecorded(db, call, error, reportFault);
  }
}

/**
 * The answer was written: the charge stands. A store that cannot be written leaves it provisional, in the customer's
 * favour.
 */
export async function confirmDelivery({ db, log }: ServiceContext, callId: string): Promise<void> {
  try {
    await confirmDelivered(db, callId);
  } catch (error) {
    log.error({ callId, cause: String(error) }, "a delivered answer could not be confirmed");
  }
}

/**
 * The answer could not be written: the charge, if there is one, is taken back. A call that it made free for its patient
 * may still be on its way; then it goes with the answer of that one, because an unread charge must not make a later
 * answer free. Never throws: a charge that stays is taken back at the next start.
 */
export async function withdrawCharge(context: ServiceContext, callId: string): Promise<void> {
  const { db, now, log } = context;
  try {
    await transaction(db, async () => {
      const charge = await findUndelivered(db, callId);
      if (charge && !(await passToRecheck(db, charge, now().getTime() + passedOnMs))) await withdraw(context, charge);
    });
  } catch (error) {
    log.error({ callId, cause: String(error) }, "the charge of an unanswered call could not be looked up");
  }
}

/**
 * Takes back every charge whose answer was lost: those that are kept to be fetched when their time is over, the others
 * with the program that was to send them.
 *
 * @returns how many
 */
export async function withdrawLostCharges(
  context: ServiceContext,
  { isStart }: { readonly isStart: boolean },
): Promise<number> {
  const nowMs = context.now().getTime();
  const undelivered = await listUndelivered(context.db);
  if (undelivered.length === 0) return 0;
  const isLost = await lostWork(context.db, { isStart });
  const lost = undelivered.filter(({ answerUntilMs, machineId }) =>
    answerUntilMs === null ? isLost(machineId) : answerUntilMs <= nowMs,
  );
  for (const charge of lost) await withdraw(context, charge);
  return lost.length;
}

async function withdraw({ db, now, log, reportFault }: ServiceContext, charge: UndeliveredCharge): Promise<void> {
  try {
    const isTakenBack = await transaction(db, async () => {
      // Its answer may have left since the list was read.
      if ((await findUndelivered(db, charge.callId))?.seq !== charge.seq) return false;
      await assertClockNotBehind(db, now());
      await reverseCharge(db, { seq: charge.seq, note: unanswered, at: now() });
      await deleteUndelivered(db, charge.callId);
      return true;
    });
    if (isTakenBack) log.info({ seq: charge.seq }, "charge taken back: its answer was not delivered");
  } catch (error) {
    reportFault({
      at: now().toISOString(),
      code: "LEDGER_NOT_WRITTEN",
      message: `The charge ${charge.seq} of an unanswered call could not be taken back yet: ${String(error)}`,
    });
  }
}
