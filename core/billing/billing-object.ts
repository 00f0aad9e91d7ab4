import type { Billing } from "../contract/v3/billing.ts";
import { tierOfOrdinal, type CallType } from "./tariff.ts";

type BillableObject = Extract<Billing, { billable: true }>;
type NonBillableObject = Extract<Billing, { billable: false }>;

/**
 * @param ordinal      position of the call in the account's month, included in `monthly_usage`
 * @param amountCents  null if the service has no price
 */
export function billedObject(callType: CallType, ordinal: number, amountCents: number | null): BillableObject {
  return {
    billable: true,
    reason: "valid_vhs",
    call_type: callType,
    monthly_usage: ordinal,
    tier: tierOfOrdinal(ordinal),
    rate: (amountCents ?? 0) / 100,
  };
}

/** @param monthlyUsage  number of the account's billable calls in the month so far */
export function unbilledObject(reason: NonBillableObject["reason"], monthlyUsage: number): NonBillableObject {
  return { billable: false, reason, monthly_usage: monthlyUsage, tier: tierOfOrdinal(monthlyUsage) };
}
