import { describe, expect, it } from "vitest";
import { billedObject, unbilledObject } from "../../../core/billing/billing-object.ts";
import { ledgerCsvHeader, ledgerCsvLine } from "../../../core/billing/ledger-csv.ts";
import { canonicalLedgerText, type LedgerEvent } from "../../../core/billing/ledger-event.ts";

describe("the billing object of section 2.6", () => {
  it("has every field for a billed call, with the rate in dollars", () => {
    expect(billedObject("single", 101, 250)).toStrictEqual({
      billable: true,
      reason: "valid_vhs",
      call_type: "single",
      monthly_usage: 101,
      tier: "starter",
      rate: 2.5,
    });
  });

  it.each(["no_valid_vhs", "recheck_24h", "billing_error"] as const)(
    "has no call type and no rate for a free call (%s)",
    (reason) => {
      expect(unbilledObject(reason, 100)).toStrictEqual({ billable: false, reason, monthly_usage: 100, tier: "paygo" });
    },
  );

  it("shows paygo in a month without calls", () => {
    expect(unbilledObject("no_valid_vhs", 0)).toMatchObject({ monthly_usage: 0, tier: "paygo" });
  });
});

const event: LedgerEvent = {
  seq: 7,
  kind: "charge",
  callId: "c1",
  accountId: "a1",
  keyId: null,
  service: "cardiac",
  callType: "single",
  uuid: 'Rex, "the" dog\nII',
  atMs: 1_793_491_200_000,
  period: "2026-11",
  ordinal: 3,
  tier: "paygo",
  amountCents: 300,
  currency: "USD",
  reverses: null,
  note: null,
  measurementId: 9,
  previousHash: "00",
  hash: "ff",
};

it("hashes a stable canonical text of a row", () => {
  expect(canonicalLedgerText(event)).toBe(
    '[7,"charge","c1","a1",null,"cardiac","single","Rex, \\"the\\" dog\\nII",1793491200000,"2026-11",3,"paygo",300,"USD",null,null,9,"00"]',
  );
});

it("writes the ledger as CSV of RFC 4180, with null as an empty field and ISO times", () => {
  expect(ledgerCsvHeader + ledgerCsvLine(event)).toBe(
    "seq,kind,callId,at,period,accountId,keyId,service,callType,uuid,ordinal,tier,amountCents,currency,reverses,note,measurementId,previousHash,hash\r\n" +
      '7,charge,c1,2026-11-01T00:00:00.000Z,2026-11,a1,,cardiac,single,"Rex, ""the"" dog\nII",3,paygo,300,USD,,,9,00,ff\r\n',
  );
});
