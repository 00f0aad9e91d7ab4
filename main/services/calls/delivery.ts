import type { BillingObject } from "../../../core/billing/billing-object.ts";
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
export function recordAnsweredCall(
  { db, now, reportFault }: Pick<ServiceContext, "db" | "now" | "reportFault">,
  call: AnsweredCall,
): BillingObject {
  const record = db.transaction(() => {
    assertClockNotBehind(db, now());
    const billing = recordBillableMeasurement(db, call, reportFault);
    if (billing.billable)
      insertUndelivered(db, { callId: call.callId, answerUntilMs: call.answerUntil?.getTime() ?? null });
    return billing;
  });
  try {
    return record.immediate();
  } catch (error) {
    return unrecorded(db, call, error, reportFault);
  }
}

/**
 * The answer was written: the charge stands. A store that cannot be written leaves it provisional, in the customer's
 * favour.
 */
export function confirmDelivery({ db, log }: ServiceContext, callId: string): void {
  try {
    confirmDelivered(db, callId);
  } catch (error) {
    log.error({ callId, cause: String(error) }, "a delivered answer could not be confirmed");
  }
}

/**
 * The answer could not be written: the charge, if there is one, is taken back. A call that it made free for its patient
 * may still be on its way; then it goes with the answer of that one, because an unread charge must not make a later
 * answer free. Never throws: a charge that stays is taken back at the next start.
 */
export function withdrawCharge(context: ServiceContext, callId: string): void {
  const { db, now, log } = context;
  try {
    const charge = findUndelivered(db, callId);
    if (charge && !passToRecheck(db, charge, now().getTime() + passedOnMs)) withdraw(context, charge);
  } catch (error) {
    log.error({ callId, cause: String(error) }, "the charge of an unanswered call could not be looked up");
  }
}

/**
 * Takes back every charge whose answer was lost: at start all that are not kept to be fetched, later those whose time
 * is over.
 *
 * @returns how many
 */
export function withdrawLostCharges(context: ServiceContext, { isStart }: { readonly isStart: boolean }): number {
  const nowMs = context.now().getTime();
  const lost = listUndelivered(context.db).filter(({ answerUntilMs }) =>
    answerUntilMs === null ? isStart : answerUntilMs <= nowMs,
  );
  for (const charge of lost) withdraw(context, charge);
  return lost.length;
}

function withdraw({ db, now, log, reportFault }: ServiceContext, charge: UndeliveredCharge): void {
  try {
    db.transaction(() => {
      assertClockNotBehind(db, now());
      reverseCharge(db, { seq: charge.seq, note: unanswered, at: now() });
      deleteUndelivered(db, charge.callId);
    }).immediate();
    log.info({ seq: charge.seq }, "charge taken back: its answer was not delivered");
  } catch (error) {
    reportFault({
      at: now().toISOString(),
      code: "LEDGER_NOT_WRITTEN",
      message: `The charge ${charge.seq} of an unanswered call could not be taken back yet: ${String(error)}`,
    });
  }
}
