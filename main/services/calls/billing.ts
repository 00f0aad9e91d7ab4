import { billedObject, unbilledObject } from "../../../core/billing/billing-object.ts";
import type { Billing } from "../../../core/contract/v3/billing.ts";
import { billingPeriodOf } from "../../../core/billing/billing-period.ts";
import { isFreeRecheck } from "../../../core/billing/recheck.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import { getEnterpriseRates } from "../../store/people/api-keys.ts";
import type { WritableDb } from "../../store/database.ts";
import { appendCharge, getLastBilledAtMs, isClockTrouble, type Charge } from "../../store/ledger/ledger.ts";
import { countCharges } from "../../store/ledger/monthly-volumes.ts";
import { recordMeasurements } from "../../store/calls/measurements.ts";
import { getSetting, usgPriceSetting } from "../../store/settings.ts";
import type { Fault } from "../measuring/service-context.ts";

export type MeteredCall = Omit<Charge, "measurementId" | "agreements"> & {
  readonly isBillable: boolean;
  /** One entry per image, null if it could not be decoded; empty for USG. */
  readonly measurements: readonly (RadiographMeasurement | null)[];
};

/** Returns the billing object of a call that could not be recorded, and notifies the user. */
export async function unrecorded(
  db: WritableDb,
  call: MeteredCall,
  error: unknown,
  onFault: (fault: Fault) => void,
): Promise<Billing> {
  const cause = error instanceof Error ? error.message : String(error);
  onFault({
    code: isClockTrouble(error) ? error.code : "LEDGER_NOT_WRITTEN",
    message: `A ${call.service} call could not be recorded and was not billed: ${cause}`,
  });
  return unbilledObject(call.isBillable ? "billing_error" : "no_valid_vhs", await usageOrNone(db, call));
}

/**
 * Records a call's measurements and, if it is billable and not a free recheck, its charge. Call it in a transaction.
 *
 * @returns `seq`: ledger row of the charge; null without one
 */
export async function recordAndCharge(
  db: WritableDb,
  call: MeteredCall,
): Promise<{ readonly billing: Billing; readonly seq: number | null }> {
  const measurementId = await recordMeasurements(db, call);
  if (!call.isBillable) return { billing: unbilledObject("no_valid_vhs", await usage(db, call)), seq: null };
  if (call.uuid !== null && isFreeRecheck(await getLastBilledAtMs(db, call, call.uuid), call.at.getTime()))
    return { billing: unbilledObject("recheck_24h", await usage(db, call)), seq: null };
  const agreements = {
    enterprise: await getEnterpriseRates(db, call.keyId),
    usgCents: await getSetting(db, usgPriceSetting),
  };
  const { seq, ordinal, amountCents } = await appendCharge(db, { ...call, measurementId, agreements });
  return { billing: billedObject(call.callType, ordinal, amountCents), seq };
}

function usage(db: WritableDb, { accountId, at }: MeteredCall): Promise<number> {
  return countCharges(db, accountId, billingPeriodOf(at));
}

/** A store that cannot be written can often be read. */
async function usageOrNone(db: WritableDb, call: MeteredCall): Promise<number> {
  try {
    return await usage(db, call);
  } catch {
    return 0;
  }
}
