import type { CallType, TariffTier } from "./tariff.ts";
import { tierOfOrdinal } from "./tariff.ts";

export type FreeReason = "no_valid_vhs" | "recheck_24h" | "billing_error";

/** Billing object of a billed call (section 2.6). `rate` is in dollars, 0 where the service has no price yet. */
export type BillableObject = {
  readonly billable: true;
  readonly reason: "valid_vhs";
  readonly call_type: CallType;
  readonly monthly_usage: number;
  readonly tier: TariffTier;
  readonly rate: number;
};

/** Billing object of a call that was not billed (section 2.6); `tier` is that of the month's calls so far. */
export type NonBillableObject = {
  readonly billable: false;
  readonly reason: FreeReason;
  readonly monthly_usage: number;
  readonly tier: TariffTier;
};

export type BillingObject = BillableObject | NonBillableObject;

/**
 * Billing object of a billed call.
 *
 * @param ordinal      position of the call in the account's month; `monthly_usage` includes the call
 * @param amountCents  charged amount [cents], null if the service has no price
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

/**
 * Billing object of a call that was not billed.
 *
 * @param monthlyUsage  the account's billable calls of the month so far
 */
export function freeObject(reason: FreeReason, monthlyUsage: number): NonBillableObject {
  return { billable: false, reason, monthly_usage: monthlyUsage, tier: tierOfOrdinal(monthlyUsage) };
}
