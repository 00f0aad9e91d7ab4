import type { Billing } from "../../../core/contract/v3/billing.ts";
import { recordAndCharge, unrecorded, type MeteredCall } from "../../../main/services/calls/billing.ts";
import type { Fault } from "../../../main/services/measuring/service-context.ts";
import type { WritableDb } from "../../../main/store/database.ts";
import { transaction } from "../../../main/store/engines/engine.ts";

/** Records a call like `recordAnsweredCall`, but without waiting for a confirmation of its response. */
export async function recordBillableMeasurement(
  db: WritableDb,
  call: MeteredCall,
  onFault: (fault: Fault) => void,
): Promise<Billing> {
  try {
    return (await transaction(db, () => recordAndCharge(db, call))).billing;
  } catch (error) {
    return unrecorded(db, call, error, onFault);
  }
}
