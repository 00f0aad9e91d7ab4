import { describe, expect, it } from "vitest";
import { billingPeriodOf } from "../../../core/billing/billing-period.ts";
import { clocksApartMs, isFreeRecheck } from "../../../core/billing/recheck.ts";

describe("the recheck grace period", () => {
  it.each<[string, number | null, number, boolean]>([
    ["no billed call before", null, 0, false],
    ["the same time", 1000, 1000, true],
    ["a billed call dated 5 ms later by another process", 1005, 1000, true],
    ["a billed call dated ahead by the maximum clock difference", 1000 + clocksApartMs, 1000, true],
    ["a billed call dated further ahead", 1001 + clocksApartMs, 1000, false],
    ["1 ms under 24 h", 1000, 1000 + 86_400_000 - 1, true],
    ["exactly 24 h", 1000, 1000 + 86_400_000, false],
    ["1 ms over 24 h", 1000, 1000 + 86_400_000 + 1, false],
  ])("%s", (_case, lastBilledAtMs, atMs, isFree) => expect(isFreeRecheck(lastBilledAtMs, atMs)).toBe(isFree));
});

describe("the billing period", () => {
  it.each([
    ["2026-10-31T23:59:59.999Z", "2026-10"],
    ["2026-11-01T00:00:00.000Z", "2026-11"],
    ["2026-12-31T23:59:59.999Z", "2026-12"],
    ["2027-01-01T00:00:00.000Z", "2027-01"],
    ["2027-01-01T00:30:00+01:00", "2026-12"],
    ["2028-02-29T12:00:00Z", "2028-02"],
  ])("maps %s to %s, independent of the local time zone", (at, period) =>
    expect(billingPeriodOf(new Date(at))).toBe(period),
  );
});
