import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  amountOfCall,
  firstOrdinalOf,
  tariffTiers,
  tierOfOrdinal,
  type Agreements,
  type CallType,
  type TariffTier,
} from "../../../core/billing/tariff.ts";

const none: Agreements = { enterprise: null, usgCents: null };

describe("tier by position in the month", () => {
  it.each<[number, TariffTier]>([
    [0, "paygo"],
    [1, "paygo"],
    [100, "paygo"],
    [101, "starter"],
    [500, "starter"],
    [501, "professional"],
    [2000, "professional"],
    [2001, "enterprise"],
    [1_000_000, "enterprise"],
  ])("maps call %d to %s", (ordinal, tier) => expect(tierOfOrdinal(ordinal)).toBe(tier));

  it("begins after the last call of the tier before", () => {
    expect(tariffTiers.map(firstOrdinalOf)).toEqual([1, 101, 501, 2001]);
  });

  it("never decreases during the month", () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), (a, b) => {
        const rank = (ordinal: number) => tariffTiers.indexOf(tierOfOrdinal(ordinal));
        expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
      }),
    );
  });
});

describe("price of a call in cents", () => {
  it.each<[TariffTier, CallType, number]>([
    ["paygo", "single", 300],
    ["paygo", "session", 400],
    ["starter", "single", 250],
    ["starter", "session", 350],
    ["professional", "single", 200],
    ["professional", "session", 300],
  ])("%s %s", (tier, callType, cents) => expect(amountOfCall("cardiac", callType, tier, none)).toBe(cents));

  it("uses the professional rate in enterprise until a rate is agreed, which may be zero", () => {
    const agreed: Agreements = { enterprise: { single: 0, session: 175 }, usgCents: null };
    expect([
      amountOfCall("cardiac", "single", "enterprise", none),
      amountOfCall("cardiac", "session", "enterprise", none),
      amountOfCall("cardiac", "single", "enterprise", agreed),
      amountOfCall("cardiac", "session", "enterprise", agreed),
    ]).toEqual([200, 300, 0, 175]);
  });

  it("ignores an agreed enterprise rate in the published tiers", () => {
    expect(amountOfCall("cardiac", "single", "starter", { enterprise: { single: 1, session: 1 }, usgCents: 5 })).toBe(
      250,
    );
  });

  it("returns null for USG until a price is set", () => {
    expect([
      amountOfCall("usg", "single", "paygo", none),
      amountOfCall("usg", "single", "paygo", { ...none, usgCents: 150 }),
    ]).toEqual([null, 150]);
  });
});
