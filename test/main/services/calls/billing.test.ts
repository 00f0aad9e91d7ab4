import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { recheckGraceMs } from "../../../../core/billing/recheck.ts";
import type { MeteredCall } from "../../../../main/services/calls/billing.ts";
import { recordBillableMeasurement } from "../../store/record-billable-measurement.ts";
import type { Fault } from "../../../../main/services/measuring/service-context.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { getMonthlyUsage, iterateLedger } from "../../../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import { reverseCharge } from "../../../../main/store/ledger/ledger.ts";
import { saveSetting, usgPriceSetting } from "../../../../main/store/settings.ts";
import { fillMonth, measured, measuredAt, rejected, storedMeasurements, unmeasured } from "../../store/sample-store.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { isOnPostgres, onlyOn } from "../../../fixtures/raw-store.ts";
import { openStoreForFile } from "../../../fixtures/use-store.ts";

const { db } = await openStoreForFile();

let accounts = 0;
const newAccount = async () => (await ensureAccount(db, { name: `Account ${(accounts += 1)}`, at: new Date() })).id;
/** The billing object of an unbilled call. */
const unbilled = (reason: string, usage: number, tier = "paygo") => ({
  ...{ billable: false, reason, monthly_usage: usage, tier },
});
type CallFacts = Partial<MeteredCall> & Pick<MeteredCall, "accountId">;
const bill = (call: CallFacts) => recordBillableMeasurement(db, call);
const chargesOf = (accountId: string) => Array.fromAsync(iterateLedger(db, { accountId, kind: "charge" }));

const fill = (accountId: string, calls: number, at = new Date("2026-11-02T00:00:00Z")) =>
  fillMonth(db, { accountId, at, calls });

describe("a billable call", () => {
  it("charges a batch once, for its best photo, and stores every measurement", async () => {
    const accountId = await newAccount();
    const measurements = [rejected, null, { ...measuredAt(11), tier: "good" as const }, measured];
    await bill({ accountId, callType: "session", measurements });
    const rows = await storedMeasurements(db, accountId);
    const [charge, ...more] = await chargesOf(accountId);
    const best = rows.find((row) => row["is_best"] === 1);
    expect([more, rows.map((row) => row["photo_index"]).sort(), best?.["photo_index"]]).toEqual([[], [0, 2, 3], 3]);
    expect(charge).toMatchObject({ measurementId: best?.["id"], callId: best?.["call_id"] });
  });
});

describe("a call without a valid VHS", () => {
  it("is recorded free of charge and returns the monthly usage", async () => {
    const accountId = await newAccount();
    const free = { accountId, isBillable: false, measurements: [unmeasured] };
    expect(await bill(free)).toStrictEqual(unbilled("no_valid_vhs", 0));
    await fill(accountId, 101);
    const billing = await bill({ ...free, measurements: [rejected] });
    expect(billing).toStrictEqual(unbilled("no_valid_vhs", 101, "starter"));
    expect((await storedMeasurements(db, accountId)).map((row) => [row["result_code"], row["is_best"]])).toEqual([
      [6, 0],
      [5, 0],
    ]);
  });
});

describe("a recheck", () => {
  const hour = (hours: number) => new Date(Date.parse("2026-11-10T09:00:00Z") + hours * 3_600_000);

  it("is limited to one patient, service and account, and requires a uuid", async () => {
    const accountId = await newAccount();
    await bill({ accountId, uuid: "rex" });
    expect(
      [
        await bill({ accountId, uuid: "Rex" }),
        await bill({ accountId, uuid: null }),
        await bill({ accountId, uuid: null }),
        await bill({ accountId, uuid: "rex", service: "usg", measurements: [] }),
        await bill({ accountId, uuid: "rex", callType: "session" }),
      ].map((billing) => billing.reason),
    ).toEqual(["valid_vhs", "valid_vhs", "valid_vhs", "valid_vhs", "recheck_24h"]);
  });

  it("ignores charges dated in the future", async () => {
    const accountId = await newAccount();
    const at = (hours: number) => bill({ accountId, uuid: "rex", at: hour(hours) });
    expect(await at(90_000)).toMatchObject({ billable: true });
    expect(await at(0)).toMatchObject({ billable: true });
    expect(await at(1)).toMatchObject({ reason: "recheck_24h" });
  });

  it("returns the usage of its own month, not of the month of the charge", async () => {
    const accountId = await newAccount();
    await bill({ accountId, uuid: "rex", at: new Date("2026-10-31T20:00:00Z") });
    const recheck = await bill({ accountId, uuid: "rex", at: new Date("2026-11-01T02:00:00Z") });
    expect(recheck).toStrictEqual(unbilled("recheck_24h", 0));
  });

  it("is not granted by a reversed charge", async () => {
    const accountId = await newAccount();
    await bill({ accountId, uuid: "rex" });
    await reverseCharge(db, { seq: (await chargesOf(accountId))[0]?.seq ?? 0, note: "wrong film", at: hour(1) });
    expect(await bill({ accountId, uuid: "rex", at: hour(2) })).toMatchObject({ billable: true, monthly_usage: 1 });
  });
});

describe("USG calls", () => {
  it("count in the combined volume, without an amount until a price is set", async () => {
    const accountId = await newAccount();
    const usg = () => bill({ accountId, service: "usg", measurements: [] });
    expect([await usg(), await bill({ accountId })]).toMatchObject([
      { billable: true, monthly_usage: 1, rate: 0 },
      { monthly_usage: 2, rate: 3 },
    ]);
    await saveSetting(db, usgPriceSetting, 150);
    expect(await usg()).toMatchObject({ monthly_usage: 3, rate: 1.5 });
    await saveSetting(db, usgPriceSetting, null);
    expect((await chargesOf(accountId)).map((charge) => charge.amountCents)).toEqual([null, 300, 150]);
    expect(await getMonthlyUsage(db, { accountId, period: "2026-11" })).toEqual({
      ...{ accountId, calls: 3, cardiacCalls: 1, usgCalls: 2, amountCents: 450 },
    });
  });
});

describe("a ledger that cannot be written", () => {
  let faults: Fault[] = [];
  const tryBill = (call: CallFacts) => recordBillableMeasurement(db, call, (fault) => faults.push(fault));
  let accountId = "";
  beforeEach(async () => {
    faults = [];
    accountId = await newAccount();
    await bill({ accountId });
  });

  // The disk of PostgreSQL belongs to its server. @see test/main/store/engines/postgres-faults.slow.test.ts
  it.runIf(!isOnPostgres)(
    onlyOn("SQLite", "returns an unbilled response, reports the fault, and stores neither measurement nor charge"),
    async () => {
      sqliteFileOf(db).pragma(`max_page_count = ${String(sqliteFileOf(db).pragma("page_count", { simple: true }))}`); // a full disk
      try {
        const manyVotes = { ...measured, votes: Array.from({ length: 200 }, () => measured.landmarks) };
        expect(await tryBill({ accountId, measurements: [manyVotes] })).toStrictEqual(unbilled("billing_error", 1));
        const measurements = [{ ...unmeasured, votes: manyVotes.votes }];
        expect(await tryBill({ accountId, isBillable: false, measurements })).toMatchObject({ reason: "no_valid_vhs" });
      } finally {
        sqliteFileOf(db).pragma("max_page_count = 1073741823");
      }
      expect(faults).toMatchObject([
        { code: "LEDGER_NOT_WRITTEN", message: expect.stringContaining("full") },
        { code: "LEDGER_NOT_WRITTEN" },
      ]);
      expect([(await storedMeasurements(db, accountId)).length, (await chargesOf(accountId)).length]).toEqual([1, 1]);
      expect(await bill({ accountId })).toMatchObject({ billable: true, monthly_usage: 2 });
    },
  );

  it("neither charges nor records a billable cardiac call without a VHS", async () => {
    const before = (await storedMeasurements(db, accountId)).length;
    expect(await tryBill({ accountId, measurements: [unmeasured] })).toMatchObject({
      billable: false,
      reason: "billing_error",
    });
    expect([faults.length, (await storedMeasurements(db, accountId)).length]).toEqual([1, before]);
  });

  it("charges each call id once", async () => {
    const call = { accountId, callId: "the same" };
    expect([await tryBill(call), await tryBill(call)]).toMatchObject([
      { billable: true },
      { billable: false, reason: "billing_error" },
    ]);
  });
});

describe("any sequence of calls and reversals", () => {
  const step = fc.record({
    hoursLater: fc.double({ min: 0, max: 40, noNaN: true }),
    uuid: fc.option(fc.constantFrom("rex", "bella"), { nil: null }),
    callType: fc.constantFrom("single" as const, "session" as const),
    service: fc.constantFrom("cardiac" as const, "cardiac" as const, "usg" as const),
    isBillable: fc.boolean(),
    reversesLast: fc.boolean(),
  });

  it("follows the billing rules", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.constantFrom(...(isOnPostgres ? [0] : [0, 0, 95, 95, 498])),
        async (steps, before) => {
          const accountId = await newAccount();
          await fill(accountId, before, new Date("2026-11-01T00:00:00Z"));
          let atMs = Date.parse("2026-11-20T00:00:00Z");
          const standing: { seq: number; key: string; atMs: number; period: string }[] = [];
          const inMonth = (period: string) =>
            standing.filter((charge) => charge.period === period).length + (period === "2026-11" ? before : 0);
          for (const { hoursLater, reversesLast, isBillable, ...call } of steps) {
            atMs += Math.round(hoursLater * 3_600_000);
            const period = new Date(atMs).toISOString().slice(0, 7);
            const key = `${call.service} ${call.uuid}`;
            const inGrace =
              call.uuid !== null &&
              standing.some((charge) => charge.key === key && atMs - charge.atMs < recheckGraceMs);
            const measurements = call.service === "usg" ? [] : [isBillable ? measured : unmeasured];
            const billing = await bill({ ...call, accountId, at: new Date(atMs), isBillable, measurements });
            expect(billing.reason).toBe(!isBillable ? "no_valid_vhs" : inGrace ? "recheck_24h" : "valid_vhs");
            if (billing.billable)
              standing.push({
                seq: (await Array.fromAsync(iterateLedger(db, { accountId }))).at(-1)?.seq ?? 0,
                key,
                atMs,
                period,
              });
            expect(billing.monthly_usage).toBe(inMonth(period));
            const last = reversesLast ? standing.pop() : undefined;
            if (last) await reverseCharge(db, { seq: last.seq, note: "test", at: new Date(atMs) });
          }
          const rows = await Array.fromAsync(iterateLedger(db, { accountId }));
          const cents = rows.reduce((sum, row) => sum + (row.amountCents ?? 0), 0);
          const standingCents = standing.reduce(
            (sum, charge) => sum + (rows.find((row) => row.seq === charge.seq)?.amountCents ?? 0),
            0,
          );
          expect(cents).toBe(standingCents);
          expect(rows.every((row) => row.amountCents === null || Number.isSafeInteger(row.amountCents))).toBe(true);
        },
      ),
      { numRuns: isOnPostgres ? 5 : 25 },
    );
    expect(await verifyLedger(db)).toMatchObject({ isIntact: true });
  });
});
