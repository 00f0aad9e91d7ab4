import { setImmediate } from "node:timers/promises";
import { AppError } from "../../../core/app-error.ts";
import type { BillingObject } from "../../../core/billing/billing-object.ts";
import type { WritableDb } from "../../store/database.ts";
import { engineOf, transaction } from "../../store/engines/engine.ts";
import { assertClockAgrees, reverseCharge } from "../../store/ledger/ledger.ts";
import {
  confirmDelivered,
  deleteUndelivered,
  findUndelivered,
  insertUndelivered,
  listUndelivered,
  passToRecheck,
  type UndeliveredCharge,
} from "../../store/ledger/undelivered-charges.ts";
import { lostWork } from "../../store/machines/machines.ts";
import { recordBillableMeasurement, unrecorded, type MeteredCall } from "./billing.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

const unanswered = "answer not delivered";
/** Longer than any response takes [ms]. */
const passedOnMs = 10 * 60_000;

/** Outcomes of responses not yet written to the store; in memory only. */
type Outcomes = Map<string, "delivered" | "lost" | "unbilled">;
const pendingDeliveries = new WeakMap<WritableDb, Outcomes>();

function pendingDeliveriesOf(db: WritableDb): Outcomes {
  const outcomes = pendingDeliveries.get(db) ?? new Map();
  pendingDeliveries.set(db, outcomes);
  return outcomes;
}

/** Calls with a started charge and an unsettled response; in memory only. */
const begun = new WeakMap<WritableDb, Set<string>>();

function begunOf(db: WritableDb): Set<string> {
  const callIds = begun.get(db) ?? new Set();
  begun.set(db, callIds);
  return callIds;
}

/** Confirmations are not synced to disk, so a crashing database may lose those of the last moments [ms]. */
const rememberedMs = 10_000;
const remembered = new WeakMap<WritableDb, Map<string, number>>();

function rememberConfirmed(db: WritableDb, callIds: readonly string[]): void {
  // With SQLite, a crash of the computer ends the program, too.
  if (engineOf(db).file !== null) return;
  const confirmed = remembered.get(db) ?? new Map<string, number>();
  remembered.set(db, confirmed);
  const atMs = performance.now();
  for (const callId of callIds) confirmed.set(callId, atMs);
}

/** Queues confirmations again that the database has lost. Errors are logged; the next run retries. */
async function restoreLostConfirmations({ db, log }: ServiceContext): Promise<void> {
  const confirmed = remembered.get(db);
  if (!confirmed || confirmed.size === 0) return;
  const untilMs = performance.now() - rememberedMs;
  try {
    for (const { callId } of await listUndelivered(db))
      if (confirmed.has(callId)) pendingDeliveriesOf(db).set(callId, "delivered");
  } catch (error) {
    return log.warn({ error }, "what was confirmed could not be looked up");
  }
  for (const [callId, atMs] of confirmed) if (atMs < untilMs) confirmed.delete(callId);
}

/** A metered call answered over the network. */
export type AnsweredCall = MeteredCall & {
  /** Unique; argument of `confirmDelivery` and `withdrawCharge`. */
  readonly callId: string;
  /** Until when the stored response can be fetched; null if it is lost with its connection. */
  readonly answerUntil: Date | null;
};

/**
 * Records a call like `recordBillableMeasurement`, and marks its response as undelivered in the same transaction. Until
 * `confirmDelivery` the charge is provisional: a lost connection or a killed program reverses it.
 */
export async function recordAnsweredCall(
  { db, now, reportFault }: Pick<ServiceContext, "db" | "now" | "reportFault">,
  call: AnsweredCall,
): Promise<BillingObject> {
  if (call.answerUntil === null) begunOf(db).add(call.callId);
  try {
    return await transaction(db, async () => {
      await assertClockAgrees(db, now());
      const billing = await recordBillableMeasurement(db, call, reportFault);
      if (billing.billable)
        await insertUndelivered(db, { callId: call.callId, answerUntilMs: call.answerUntil?.getTime() ?? null });
      return billing;
    });
  } catch (error) {
    // A stored response is written in the same transaction as its charge.
    if (call.answerUntil === null) noteUnbilled(db, call.callId, error);
    return unrecorded(db, call, error, reportFault);
  }
}

/**
 * Marks a call whose transaction with the charge failed; its response reports no charge. If only the reply to COMMIT
 * was lost, the charge may exist and is reversed. A SQLite file locked by another program never began the transaction.
 */
export function noteUnbilled(db: WritableDb, callId: string, error: unknown): void {
  const isNotBegun = engineOf(db).file !== null && error instanceof AppError && error.code === "STORE_BUSY";
  if (!isNotBegun) pendingDeliveriesOf(db).set(callId, "unbilled");
}

/** Calls by store whose responses left in one turn of the event loop, confirmed in one transaction. */
const leaving = new WeakMap<WritableDb, { readonly callIds: string[]; readonly confirmed: Promise<void> }>();

/**
 * Confirms the charge of a delivered response, or reverses it if the response reports no charge. If the store cannot be
 * written, the confirmation is retried; until then the charge is provisional, in the customer's favour.
 */
export async function confirmDelivery(context: ServiceContext, callId: string): Promise<void> {
  const { db } = context;
  if (pendingDeliveriesOf(db).get(callId) === "unbilled") return await withdrawCharge(context, callId);
  const others = leaving.get(db);
  if (others) {
    others.callIds.push(callId);
    return await others.confirmed;
  }
  const callIds = [callId];
  const confirmed = setImmediate().then(() => confirmAll(context, callIds));
  leaving.set(db, { callIds, confirmed });
  await confirmed;
}

async function confirmAll({ db, log }: ServiceContext, callIds: readonly string[]): Promise<void> {
  leaving.delete(db);
  const outcomes = pendingDeliveriesOf(db);
  for (const callId of callIds) begunOf(db).delete(callId);
  try {
    await confirmDelivered(db, callIds);
    rememberConfirmed(db, callIds);
    for (const callId of callIds) outcomes.delete(callId);
  } catch (error) {
    for (const callId of callIds) outcomes.set(callId, "delivered");
    log.error({ callIds, error }, "delivered answers could not be confirmed");
  }
}

/**
 * Writes pending delivery outcomes to the store until the first failure. Delivered responses come first: they do not
 * depend on the clock.
 */
export async function settlePendingDeliveries(context: ServiceContext): Promise<void> {
  await restoreLostConfirmations(context);
  const outcomes = pendingDeliveriesOf(context.db);
  const isLost = (callId: string): boolean => outcomes.get(callId) !== "delivered";
  for (const callId of [...outcomes.keys()].sort((one, other) => Number(isLost(one)) - Number(isLost(other)))) {
    await (isLost(callId) ? withdrawCharge(context, callId) : confirmDelivery(context, callId));
    if (outcomes.has(callId)) return;
  }
}

/**
 * Reverses the charge of a failed response if one was started, even if unfinished. Most failed calls are refusals
 * without a charge and need no write.
 */
export async function withdrawIfBegun(context: ServiceContext, callId: string): Promise<void> {
  if (begunOf(context.db).has(callId)) await withdrawCharge(context, callId);
}

/**
 * Reverses the charge, if any, of a response that could not be sent. If it made a call in flight free for its patient,
 * the charge moves to that call: an undelivered charge must not make a later response free. Never throws: if the store
 * is unavailable, the reversal is retried.
 */
export async function withdrawCharge(context: ServiceContext, callId: string): Promise<void> {
  const { db, now, log } = context;
  const outcomes = pendingDeliveriesOf(db);
  begunOf(db).delete(callId);
  try {
    const isSettled = await transaction(db, async () => {
      const charge = await findUndelivered(db, callId);
      if (!charge || (await passToRecheck(db, charge, now().getTime() + passedOnMs))) return true;
      return await withdraw(context, charge);
    });
    if (isSettled) outcomes.delete(callId);
    else noteLost(db, callId);
  } catch (error) {
    noteLost(db, callId);
    log.error({ callId, error }, "the charge of an unanswered call could not be looked up");
  }
}

function noteLost(db: WritableDb, callId: string): void {
  const outcomes = pendingDeliveriesOf(db);
  outcomes.set(callId, outcomes.get(callId) ?? "lost");
}

/**
 * Reverses every charge whose response was lost: stored responses once they expire, the others once the program that
 * was to send them has ended.
 *
 * @returns the number of lost responses
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
  for (const charge of lost) {
    // Look it up again: another workstation may be about to answer the same patient for free.
    if (charge.answerUntilMs === null && engineOf(context.db).machineId !== null)
      await withdrawCharge(context, charge.callId);
    // Charges of stored responses are found again by their expiry.
    else if (!(await withdraw(context, charge)) && charge.answerUntilMs === null) noteLost(context.db, charge.callId);
  }
  return lost.length;
}

/** @returns whether nothing is left to do; else the store could not be written, or the clock stands behind it */
async function withdraw({ db, now, log, reportFault }: ServiceContext, charge: UndeliveredCharge): Promise<boolean> {
  try {
    const isTakenBack = await transaction(db, async () => {
      // The response may have left since the list was read.
      if ((await findUndelivered(db, charge.callId))?.seq !== charge.seq) return false;
      await assertClockAgrees(db, now());
      await reverseCharge(db, { seq: charge.seq, note: unanswered, at: now() });
      await deleteUndelivered(db, charge.callId);
      return true;
    });
    if (isTakenBack) log.info({ seq: charge.seq }, "charge taken back: its answer was not delivered");
    return true;
  } catch (error) {
    // Retried every 30 seconds, but reported once.
    if (!pendingDeliveriesOf(db).has(charge.callId))
      reportFault({
        at: now().toISOString(),
        code: "LEDGER_NOT_WRITTEN",
        message: `The charge ${charge.seq} of an unanswered call could not be reversed yet: ${String(error)}`,
      });
    return false;
  }
}
