import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { recordBillableMeasurement } from "../record-billable-measurement.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import {
  countLedgerEvents,
  getMonthlyUsage,
  iterateLedger,
  listLedgerEvents,
  listLedgerPeriods,
} from "../../../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import {
  getLedgerEvent,
  hashLedgerEvent,
  isClockTrouble,
  reverseCharge,
} from "../../../../main/store/ledger/ledger.ts";
import { isOnPostgres, onlyOn, rawly, tamper } from "../../../fixtures/raw-store.ts";
import { openStoreForTest, useStore } from "../../../fixtures/use-store.ts";

const store = useStore();
let accountId = "";
const note = "wrong film";
const at = (text: string) => new Date(`2026-${text}T12:00:00Z`);

/** Six charges of one account over two months, the second one reversed: seven rows. */
beforeEach(async () => {
  accountId = (await ensureAccount(store.db, { name: "Clinic", at: new Date() })).id;
  const bill = (day: string, uuid: string | null) =>
    recordBillableMeasurement(store.db, { accountId, uuid, at: at(day) });
  for (const [day, uuid] of [
    ["10-30", null],
    ["10-31", "rex"],
    ["11-01", null],
    ["11-02", "bella"],
    ["11-03", "50%_x"],
  ] as const)
    await bill(day, uuid);
  await reverseCharge(store.db, { seq: 2, note, at: at("11-04") });
  await bill("11-05", "rex");
});

describe("the ledger", () => {
  it.runIf(!isOnPostgres)(onlyOn("SQLite", "refuses the replacement of a row"), async () => {
    const rest =
      "account_id, key_id, service, call_type, uuid, uuid_nfc, at_ms, period, ordinal, tier, amount_cents, currency, reverses, note, measurement_id, previous_hash, hash";
    for (const [columns, message] of [
      ["*", "at the end"],
      [`8, kind, call_id, ${rest}`, "append-only"],
    ] as const) {
      const sql = `INSERT OR REPLACE INTO ledger SELECT ${columns} FROM ledger WHERE seq = 3`;
      await expect(rawly(store.db, sql), sql).rejects.toThrow(message);
    }
    expect(await verifyLedger(store.db)).toMatchObject({ isIntact: true, rows: 7 });
  });

  it("lists rows newest first, by filter and page", async () => {
    const seqs = async (filter: Parameters<typeof listLedgerEvents>[1]) =>
      (await listLedgerEvents(store.db, filter)).map((event) => event.seq);
    expect({
      all: await seqs({}),
      page: await seqs({ limit: 2, offset: 1 }),
      month: await seqs({ period: "2026-10" }),
      reversals: await seqs({ kind: "reversal" }),
      usg: await seqs({ service: "usg" }),
      nobody: await seqs({ accountId: "nobody" }),
      uuid: await seqs({ search: "REX" }),
      note: await seqs({ search: "wrong" }),
      account: await seqs({ search: "clin" }),
      literal: await seqs({ search: "%_" }),
      total: await countLedgerEvents(store.db, { period: "2026-11" }),
      periods: await listLedgerPeriods(store.db),
    }).toEqual({
      all: [7, 6, 5, 4, 3, 2, 1],
      page: [6, 5],
      month: [2, 1],
      reversals: [6],
      usg: [],
      nobody: [],
      uuid: [7, 6, 2],
      note: [6],
      account: [7, 6, 5, 4, 3, 2, 1],
      literal: [5],
      total: 5,
      periods: ["2026-11", "2026-10"],
    });
  });

  it("sums a month: unreversed calls, and amounts in the month of their booking", async () => {
    const months = ["2026-10", "2026-11", "2026-12"];
    const none = { accountId, calls: 0, cardiacCalls: 0, usgCalls: 0, amountCents: 0 };
    expect(await Promise.all(months.map((period) => getMonthlyUsage(store.db, { accountId, period })))).toEqual([
      { ...none, calls: 1, cardiacCalls: 1, amountCents: 600 },
      { ...none, calls: 4, cardiacCalls: 4, amountCents: 900 },
      none,
    ]);
  });
});

describe("a reversal", () => {
  it("adds a row with the negated amount and the charge's call and patient, in the month of the reversal", async () => {
    const [charge, reversal] = [await getLedgerEvent(store.db, 2), await getLedgerEvent(store.db, 6)];
    const { hash, previousHash, ...rest } = reversal ?? {};
    expect([typeof hash, previousHash]).toEqual(["string", (await getLedgerEvent(store.db, 5))?.hash]);
    expect(rest).toEqual({
      seq: 6,
      kind: "reversal",
      callId: charge?.callId,
      accountId,
      keyId: null,
      service: "cardiac",
      callType: "single",
      uuid: "rex",
      atMs: at("11-04").getTime(),
      period: "2026-11",
      ordinal: null,
      tier: "paygo",
      amountCents: -300,
      currency: "USD",
      reverses: 2,
      note,
      measurementId: charge?.measurementId,
    });
  });

  it("refuses a reversed charge, a reversal and a missing charge", async () => {
    for (const [seq, code] of [
      [2, "CHARGE_ALREADY_REVERSED"],
      [6, "CHARGE_NOT_FOUND"],
      [99, "CHARGE_NOT_FOUND"],
    ] as const)
      await expect(reverseCharge(store.db, { seq, note, at: new Date() })).rejects.toMatchObject({ code });
  });
});

/** Recomputes every hash, as a forger would. */
async function reseal(): Promise<void> {
  let previousHash = "0".repeat(64);
  const updates: string[] = [];
  for (const event of await Array.fromAsync(iterateLedger(store.db))) {
    const hash = hashLedgerEvent({ ...event, previousHash });
    updates.push(`UPDATE ledger SET previous_hash = '${previousHash}', hash = '${hash}' WHERE seq = ${event.seq}`);
    previousHash = hash;
  }
  await tamper(store.db, updates.join(";"));
}

describe("verification", () => {
  it("reports the row after one that was changed with its own hash", async () => {
    await tamper(store.db, "UPDATE ledger SET note = 'x' WHERE seq = 4");
    const hash = hashLedgerEvent((await getLedgerEvent(store.db, 4))!);
    await tamper(store.db, `UPDATE ledger SET hash = '${hash}' WHERE seq = 4`);
    expect(await verifyLedger(store.db)).toMatchObject({
      isIntact: false,
      brokenAtSeq: 5,
      problem: expect.stringContaining("Row 5"),
    });
  });

  it("finds an untouched ledger, and an empty one, intact", async () => {
    expect(await verifyLedger(store.db)).toEqual({
      isIntact: true,
      rows: 7,
      lastHash: (await getLedgerEvent(store.db, 7))?.hash,
    });
    const empty = await openStoreForTest();
    expect(await verifyLedger(empty.db)).toEqual({ isIntact: true, rows: 0, lastHash: "0".repeat(64) });
  });

  it("reports the row if any of its columns was changed", async () => {
    const change = (column: string, value: string) =>
      tamper(store.db, `UPDATE ledger SET ${column} = ${value} WHERE seq = 4`);
    const [row = {}] = await rawly(store.db, "SELECT * FROM ledger WHERE seq = 4");
    const values = {
      kind: "'reversal'",
      call_id: "'x'",
      account_id: "'x'",
      key_id: "'x'",
      service: "'usg'",
      call_type: "'session'",
      uuid: "'x'",
      at_ms: "at_ms + 1",
      period: "'2026-12'",
      ordinal: "9",
      tier: "'starter'",
      amount_cents: "299",
      currency: "'EUR'",
      reverses: "1",
      note: "'x'",
      measurement_id: "1",
      previous_hash: "'x'",
      hash: "'x'",
    };
    for (const [column, value] of Object.entries(values)) {
      await change(column, value);
      const broken = { isIntact: false, brokenAtSeq: 4, rows: 4, problem: expect.any(String) as string };
      expect(await verifyLedger(store.db), column).toMatchObject(broken);
      const before = row[column];
      await change(
        column,
        before === null ? "NULL" : typeof before === "string" ? `'${before}'` : JSON.stringify(before),
      );
    }
    expect(await verifyLedger(store.db)).toMatchObject({ isIntact: true, rows: 7 });
  });

  it.each([
    ["a row deleted from the middle", "DELETE FROM ledger WHERE seq = 4", 5, "Row 4 of the ledger is missing"],
    ["rows deleted from the end", "DELETE FROM ledger WHERE seq >= 6", 6, "Rows 6 to 7 of the ledger are missing"],
    ["a row that does not match the schema", "UPDATE ledger SET tier = 'gold' WHERE seq = 4", 4, "unreadable"],
  ])("reports %s", async (_what, sql, brokenAtSeq, problem) => {
    await tamper(store.db, sql);
    expect(await verifyLedger(store.db)).toMatchObject({
      isIntact: false,
      brokenAtSeq,
      problem: expect.stringContaining(problem),
    });
  });

  it.each([
    ["place in the month", "UPDATE ledger SET ordinal = 7 WHERE seq = 4", 4, "in its month"],
    ["tier", "UPDATE ledger SET tier = 'starter' WHERE seq = 5", 5, "tier"],
    ["amount of a reversal", "UPDATE ledger SET amount_cents = -1 WHERE seq = 6", 6, "reverses"],
    ["target of a reversal", "UPDATE ledger SET reverses = 7 WHERE seq = 6", 6, "not an active charge"],
  ])("detects a wrong %s despite recomputed hashes", async (_what, sql, brokenAtSeq, problem) => {
    await tamper(store.db, sql);
    await reseal();
    expect(await verifyLedger(store.db)).toMatchObject({
      isIntact: false,
      brokenAtSeq,
      problem: expect.stringContaining(problem),
    });
  });
});

it("tells clock faults from other errors", () => {
  const errors = [new AppError("CLOCK_BEHIND"), new AppError("CLOCK_AHEAD"), new AppError("STORE_BUSY"), new Error()];
  expect(errors.map(isClockTrouble)).toEqual([true, true, false, false]);
});
