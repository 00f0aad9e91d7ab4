import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordBillableMeasurement } from "../../../../main/services/calls/billing.ts";
import { ensureAccount } from "../../../../main/store/accounts.ts";
import {
  countLedgerEvents,
  getMonthlyUsage,
  iterateLedger,
  listLedgerEvents,
  listLedgerPeriods,
} from "../../../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../../../../main/store/ledger/ledger-verification.ts";
import { getLedgerEvent, hashLedgerEvent, reverseCharge } from "../../../../main/store/ledger/ledger.ts";
import { meteredCall, temporaryStore } from "../sample-store.ts";

let store = temporaryStore();
let accountId = "";
const note = "wrong film";
const at = (text: string) => new Date(`2026-${text}T12:00:00Z`);

/** Six charges of one account over two months, the second taken back: seven rows. */
beforeEach(() => {
  store = temporaryStore();
  accountId = ensureAccount(store.db, { name: "Clinic", at: new Date() }).id;
  const bill = (day: string, uuid: string | null) =>
    recordBillableMeasurement(store.db, meteredCall({ accountId, uuid, at: at(day) }), (fault) =>
      expect.unreachable(fault.message),
    );
  for (const [day, uuid] of [
    ["10-30", null],
    ["10-31", "rex"],
    ["11-01", null],
    ["11-02", "bella"],
    ["11-03", "50%_x"],
  ] as const)
    bill(day, uuid);
  reverseCharge(store.db, { seq: 2, note, at: at("11-04") });
  bill("11-05", "rex");
});
afterEach(() => store.remove());

describe("the ledger", () => {
  it.each([
    ["UPDATE", "UPDATE ledger SET amount_cents = 0 WHERE seq = 3", "append-only"],
    ["DELETE", "DELETE FROM ledger WHERE seq = 7", "append-only"],
    ["REPLACE of a row", "INSERT OR REPLACE INTO ledger SELECT * FROM ledger WHERE seq = 3", "at the end"],
    [
      "REPLACE by its hash",
      "INSERT OR REPLACE INTO ledger SELECT 8, kind, call_id, account_id, key_id, service, call_type, uuid, uuid_nfc, at_ms, period, ordinal, tier, amount_cents, currency, reverses, note, measurement_id, previous_hash, hash FROM ledger WHERE seq = 3",
      "append-only",
    ],
    [
      "a gap",
      "INSERT INTO ledger SELECT 9, kind, 'new', account_id, key_id, service, call_type, uuid, uuid_nfc, at_ms, period, ordinal, tier, amount_cents, currency, reverses, note, measurement_id, 'p', 'h' FROM ledger WHERE seq = 3",
      "at the end",
    ],
    ["removing a measurement that was charged", "DELETE FROM measurements WHERE id = 1", "never go"],
  ])("refuses %s", (_what, sql, message) => {
    expect(() => store.db.exec(sql)).toThrow(message);
    expect(verifyLedger(store.db)).toMatchObject({ isIntact: true, rows: 7 });
  });

  it("lists newest first, by filter and page", () => {
    const seqs = (filter: Parameters<typeof listLedgerEvents>[1]) =>
      listLedgerEvents(store.db, filter).map((event) => event.seq);
    expect({
      all: seqs({}),
      page: seqs({ limit: 2, offset: 1 }),
      month: seqs({ period: "2026-10" }),
      reversals: seqs({ kind: "reversal" }),
      usg: seqs({ service: "usg" }),
      nobody: seqs({ accountId: "nobody" }),
      uuid: seqs({ search: "REX" }),
      note: seqs({ search: "wrong" }),
      account: seqs({ search: "clin" }),
      literal: seqs({ search: "%_" }),
      total: countLedgerEvents(store.db, { period: "2026-11" }),
      periods: listLedgerPeriods(store.db),
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

  it("sums a month: standing calls, and amounts in the month in which they were booked", () => {
    expect(["2026-10", "2026-11", "2026-12"].map((period) => getMonthlyUsage(store.db, { accountId, period }))).toEqual(
      [
        {
          accountId,
          period: "2026-10",
          calls: 1,
          cardiacCalls: 1,
          usgCalls: 0,
          reversals: 0,
          amountCents: 600,
          tier: "paygo",
        },
        {
          accountId,
          period: "2026-11",
          calls: 4,
          cardiacCalls: 4,
          usgCalls: 0,
          reversals: 1,
          amountCents: 900,
          tier: "paygo",
        },
        {
          accountId,
          period: "2026-12",
          calls: 0,
          cardiacCalls: 0,
          usgCalls: 0,
          reversals: 0,
          amountCents: 0,
          tier: "paygo",
        },
      ],
    );
  });
});

describe("a reversal", () => {
  it("is a row of its own with the negated amount, the charge's call and patient, in its own month", () => {
    const [charge, reversal] = [getLedgerEvent(store.db, 2), getLedgerEvent(store.db, 6)];
    const { hash, previousHash, ...rest } = reversal ?? {};
    expect([typeof hash, previousHash]).toEqual(["string", getLedgerEvent(store.db, 5)?.hash]);
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

  it.each([
    ["the same charge", 2, "CHARGE_ALREADY_REVERSED"],
    ["a reversal", 6, "CHARGE_NOT_FOUND"],
    ["nothing", 99, "CHARGE_NOT_FOUND"],
  ])("of %s is refused", (_what, seq, code) => {
    expect(() => reverseCharge(store.db, { seq, note, at: new Date() })).toThrow(expect.objectContaining({ code }));
  });
});

/** What someone could do who opens the file with another program and drops the triggers first. */
function tamper(sql: string): void {
  const db = new Database(`${store.dataDir}/corvet.db`);
  db.pragma("foreign_keys = OFF");
  db.pragma("ignore_check_constraints = ON");
  db.exec(
    `DROP TRIGGER ledger_refuses_update; DROP TRIGGER ledger_refuses_update_of_patient; DROP TRIGGER ledger_refuses_delete;
     DROP TRIGGER ledger_appends_at_the_end`,
  );
  db.exec(sql);
  db.close();
}

/** A forger who also recomputes every hash from a row on. */
function reseal(): void {
  const db = new Database(`${store.dataDir}/corvet.db`);
  let previousHash = "0".repeat(64);
  for (const event of [...iterateLedger(store.db)]) {
    const hash = hashLedgerEvent({ ...event, previousHash });
    db.prepare("UPDATE ledger SET previous_hash = ?, hash = ? WHERE seq = ?").run(previousHash, hash, event.seq);
    previousHash = hash;
  }
  db.close();
}

describe("verification", () => {
  it("finds an untouched ledger, and an empty one, intact", () => {
    expect(verifyLedger(store.db)).toEqual({ isIntact: true, rows: 7, lastHash: getLedgerEvent(store.db, 7)?.hash });
    const empty = temporaryStore();
    expect(verifyLedger(empty.db)).toEqual({ isIntact: true, rows: 0, lastHash: "0".repeat(64) });
    empty.remove();
  });

  it.each([
    ["kind", "kind = 'reversal'"],
    ["call", "call_id = 'x'"],
    ["account", "account_id = 'x'"],
    ["key", "key_id = 'x'"],
    ["service", "service = 'usg'"],
    ["call type", "call_type = 'session'"],
    ["patient", "uuid = 'x'"],
    ["time", "at_ms = at_ms + 1"],
    ["period", "period = '2026-12'"],
    ["place", "ordinal = 9"],
    ["tier", "tier = 'starter'"],
    ["amount", "amount_cents = 299"],
    ["currency", "currency = 'EUR'"],
    ["what it reverses", "reverses = 1"],
    ["note", "note = 'x'"],
    ["measurement", "measurement_id = 1"],
    ["previous hash", "previous_hash = 'x'"],
    ["hash", "hash = 'x'"],
  ])("names the row whose %s was changed", (_what, change) => {
    tamper(`UPDATE ledger SET ${change} WHERE seq = 4`);
    expect(verifyLedger(store.db)).toMatchObject({
      isIntact: false,
      brokenAtSeq: 4,
      rows: 4,
      problem: expect.any(String),
    });
  });

  it.each([
    ["a row taken out of the middle", "DELETE FROM ledger WHERE seq = 4", 5, "Row 4 of the ledger is missing"],
    ["rows taken off the end", "DELETE FROM ledger WHERE seq >= 6", 6, "Rows 6 to 7 of the ledger are missing"],
    ["a row that has not even the shape of one", "UPDATE ledger SET tier = 'gold' WHERE seq = 4", 4, "unreadable"],
  ])("names %s", (_what, sql, brokenAtSeq, problem) => {
    tamper(sql);
    expect(verifyLedger(store.db)).toMatchObject({
      isIntact: false,
      brokenAtSeq,
      problem: expect.stringContaining(problem),
    });
  });

  it.each([
    ["place in the month", "UPDATE ledger SET ordinal = 7 WHERE seq = 4", 4, "in its month"],
    ["tier", "UPDATE ledger SET tier = 'starter' WHERE seq = 5", 5, "tier"],
    ["amount of a reversal", "UPDATE ledger SET amount_cents = -1 WHERE seq = 6", 6, "takes back"],
    ["target of a reversal", "UPDATE ledger SET reverses = 7 WHERE seq = 6", 6, "no standing charge"],
  ])("sees through recomputed hashes to a wrong %s", (_what, sql, brokenAtSeq, problem) => {
    tamper(sql);
    reseal();
    expect(verifyLedger(store.db)).toMatchObject({
      isIntact: false,
      brokenAtSeq,
      problem: expect.stringContaining(problem),
    });
  });
});
