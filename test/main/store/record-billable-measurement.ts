import type { Billing } from "../../../core/contract/v3/billing.ts";
import { recordAndCharge, unrecorded, type MeteredCall } from "../../../main/services/calls/billing.ts";
import type { Fault } from "../../../main/services/measuring/service-context.ts";
import type { WritableDb } from "../../../main/store/database.ts";
import { transaction } from "../../../main/store/engines/engine.ts";
import { ensureAccount } from "../../../main/store/people/accounts.ts";
import { meteredCall } from "./sample-store.ts";

/**
 * Records a call like `recordAnsweredCall`, but without waiting for a confirmation of its response.
 *
 * @param facts    that differ from those of `meteredCall`
 * @param onFault  called if the call cannot be charged; by default throws
 */
export async function recordBillableMeasurement(
  db: WritableDb,
  facts: Partial<MeteredCall> & Pick<MeteredCall, "accountId">,
  onFault: (fault: Fault) => void = rejectFault,
): Promise<Billing> {
  const call = meteredCall(facts);
  try {
    return (await transaction(db, () => recordAndCharge(db, call))).billing;
  } catch (error) {
    return unrecorded(db, call, error, onFault);
  }
}

function rejectFault({ message }: Fault): never {
  throw new Error(message);
}

/** Charges calls of an account, which is created if it does not exist. */
export async function chargeCalls(db: WritableDb, calls: number, accountName = "Clinic"): Promise<void> {
  const { id: accountId } = await ensureAccount(db, { name: accountName, at: new Date("2026-11-10T09:00:00Z") });
  for (let call = 0; call < calls; call += 1) await recordBillableMeasurement(db, { accountId });
}
