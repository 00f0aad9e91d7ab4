import { generateKeyPairSync } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKey } from "../../../main/services/calls/keys.ts";
import { recordBillableMeasurement } from "./record-billable-measurement.ts";
import { recordAnsweredCall } from "../../../main/services/calls/delivery.ts";
import type { Fault } from "../../../main/services/measuring/service-context.ts";
import { setEnterpriseRates, renameApiKey, revokeApiKey } from "../../../main/store/people/api-keys.ts";
import { ensureAccount } from "../../../main/store/people/accounts.ts";
import { makeBackup } from "../../../main/store/backups/backups.ts";
import { openStore, type WritableDb } from "../../../main/store/database.ts";
import { continueRecord } from "../../../main/store/ledger/continue-record.ts";
import { listLedgerEvents } from "../../../main/store/ledger/ledger-reports.ts";
import { reverseCharge } from "../../../main/store/ledger/ledger.ts";
import { verifyLedger } from "../../fixtures/verify-ledger.ts";
import { countCharges, listVolumes } from "../../../main/store/ledger/monthly-volumes.ts";
import { readNotedHead } from "../../../main/store/ledger/record-anchor.ts";
import { findLoss, verifyRecord } from "../../../main/store/record/record-verification.ts";
import { anchorFile, storeFile } from "../../../main/store/files/store-files.ts";
import { verifyInThread } from "../../../main/store/record/verification-thread-client.ts";
import { meteredCall, putEmptyStore } from "./sample-store.ts";
import { isOnPostgres, onlyOn, rawly, tamper } from "../../fixtures/raw-store.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const dataDir = folderForEach();
let db: WritableDb;
let accountId = "";
const { privateKey } = generateKeyPairSync("ed25519");
const at = (minute: number) => new Date(Date.UTC(2026, 10, 10, 9, minute));

beforeEach(async () => {
  await putEmptyStore(dataDir());
  db = await openStore(dataDir());
  accountId = (await ensureAccount(db, { name: "Clinic", at: at(0) })).id;
  await charge(7);
});
afterEach(() => db.destroy());

/** Charges calls one after another, noting the head after each, as before a response is sent. */
async function charge(count: number, minute = 0, account = accountId): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { billable } = await recordBillableMeasurement(db, { accountId: account, at: at(minute + index) });
    expect(billable).toBe(true);
  }
}

/** Removes the last two of seven charges with every trace of them in the store. */
const cutOff = `DELETE FROM ledger WHERE seq > 5; UPDATE monthly_volumes SET calls = 5; UPDATE ${
  isOnPostgres ? "last_given SET seq = 5 WHERE table_name" : "sqlite_sequence SET seq = 5 WHERE name"
} = 'ledger'`;

async function reopen(): Promise<void> {
  await db.destroy();
  db = await openStore(dataDir());
}

/** Simulates a kill of the program, which leaves the write-ahead log, and opens the store after `then`. */
async function kill(then: () => void): Promise<void> {
  const [store, wal] = [storeFile(dataDir()), `${storeFile(dataDir())}-wal`];
  copyFileSync(store, `${store}.copy`);
  copyFileSync(wal, `${wal}.copy`);
  await db.destroy();
  copyFileSync(`${store}.copy`, store);
  copyFileSync(`${wal}.copy`, wal);
  rmSync(`${store}.copy`);
  rmSync(`${wal}.copy`);
  then();
  db = await openStore(dataDir());
}

/** For PostgreSQL, the anchor is in a folder of the database. */
const noteFile = () =>
  anchorFile(
    isOnPostgres
      ? path.join(dataDir(), "databases", readdirSync(path.join(dataDir(), "databases"))[0] ?? "")
      : dataDir(),
  );
const verify = () => verifyRecord(db, readNotedHead(db));
const state = (subject: string) =>
  continueRecord(db, { subject, why: "disk died", by: "Dr Vet", at: at(59), privateKey });

describe("the note of the record's head outside the store", () => {
  it("contains the last row of the ledger and the last seal", async () => {
    expect([readNotedHead(db), await verify()]).toMatchObject([
      { ledgerSeq: 7, sealSeq: 8 },
      { fault: null, rows: 7, seals: 7 },
    ]);
  });

  it.runIf(!isOnPostgres).each([
    ["deleted", (wal: string) => rmSync(wal)],
    ["truncated", (wal: string) => truncateSync(wal, 0)],
  ])(onlyOn("SQLite", "reveals that the write-ahead log was %s"), async (_what, drop) => {
    await kill(() => drop(`${storeFile(dataDir())}-wal`));
    expect((await verify()).fault).toMatchObject({ problem: { name: "ledgerNotedRowsLost" } });
    expect(await findLoss(db, readNotedHead(db) ?? expect.unreachable())).not.toBeNull();
  });

  it("reveals that rows were removed from the end with every trace of them in the store", async () => {
    await tamper(db, cutOff);
    expect([(await verifyLedger(db)).isIntact, (await verify()).fault]).toEqual([
      true,
      expect.objectContaining({
        subject: "6",
        problem: { name: "ledgerNotedRowsLost", values: { first: 6, last: 7 } },
      }),
    ]);
  });

  it("stays as evidence when other rows are written in place of the lost ones", async () => {
    await tamper(db, cutOff);
    await reopen();
    await charge(4, 10);
    expect([readNotedHead(db)?.ledgerSeq, (await verify()).fault]).toEqual([
      7,
      expect.objectContaining({ subject: "7", problem: { name: "ledgerRowsRewritten", values: { row: 7 } } }),
    ]);
  });

  it("is readable in one slot if the other one is damaged", async () => {
    truncateSync(noteFile(), 700);
    expect(readNotedHead(db)?.ledgerSeq).toBeGreaterThanOrEqual(6);
    await charge(2, 20);
    expect(readNotedHead(db)).toMatchObject({ ledgerSeq: 9 });
  });

  it("does not prevent a call if it cannot be written", async () => {
    rmSync(noteFile());
    mkdirSync(noteFile());
    await charge(1, 30);
    expect(existsSync(noteFile())).toBe(true);
  });
});

describe.runIf(!isOnPostgres)(onlyOn("SQLite", "a backup"), () => {
  it("contains the head of the record, which reveals a later removal of rows without the note", async () => {
    await makeBackup(db, dataDir(), new Date());
    expect((await verifyInThread(dataDir())).fault).toBeNull();
    await tamper(db, cutOff);
    await db.destroy();
    rmSync(noteFile());
    expect((await verifyInThread(dataDir())).fault).toMatchObject({ subject: "6" });
  });
});

describe("sealed rows", () => {
  it.each([
    ["a changed score", "UPDATE measurements SET vhs = 9.9 WHERE id = 3", "measurements/3", "valueChanged"],
    ["a deleted measurement", "DELETE FROM measurements WHERE id = 3", "measurements/3", "valueMissing"],
    ["a deleted seal", "DELETE FROM value_seals WHERE seq = 3", "seal/4", "sealBeforeChanged"],
    ["a deleted last seal", "DELETE FROM value_seals WHERE seq = 8", "seal/last", "sealsLost"],
    ["an unknown table", "UPDATE value_seals SET source = 'x' WHERE seq = 4", "x/3", "valueMissing"],
  ])("reveal %s", async (_what, sql, subject, problem) => {
    await tamper(db, sql);
    expect((await verify()).fault).toMatchObject({ subject, problem: { name: problem } });
  });

  it.runIf(!isOnPostgres)(onlyOn("SQLite", "cannot be replaced"), async () => {
    const sql = "INSERT OR REPLACE INTO value_seals SELECT * FROM value_seals WHERE seq = 3";
    await expect(rawly(db, sql)).rejects.toThrow(/at the end/);
    expect((await verify()).fault).toBeNull();
  });

  it.runIf(!isOnPostgres)(onlyOn("SQLite", "are verified in a thread"), async () => {
    expect(await verifyInThread(dataDir())).toMatchObject({ fault: null, rows: 7, seals: 7 });
    await tamper(db, "UPDATE measurements SET vhs = 9.9 WHERE id = 3");
    expect((await verifyInThread(dataDir())).fault).toMatchObject({ subject: "measurements/3" });
  });
});

describe("an administrator's statement", () => {
  it("continues a ledger with a row that does not match its hash, and is reported by verification", async () => {
    await tamper(db, "UPDATE ledger SET uuid = 'rex \ufffd', uuid_nfc = 'rex \ufffd' WHERE seq = 4");
    expect((await verify()).fault).toMatchObject({ subject: "4" });
    await expect(state("5")).rejects.toThrow(expect.objectContaining({ code: "CONFLICT" }));
    await state("4");
    await charge(1, 59);
    expect(await verifyLedger(db)).toMatchObject({
      isIntact: true,
      rows: 9,
      statements: [
        { subject: "4", problem: "Row 4 of the ledger does not match its own hash", why: "disk died", by: "Dr Vet" },
      ],
    });
    expect(await countCharges(db, accountId, "2026-11")).toBe(8);
  });

  it.each([
    ["a changed reversal, which stays in force", "UPDATE ledger SET call_id = 'other' WHERE seq = 8", "8"],
    ["a charge without its place in the month", "UPDATE ledger SET ordinal = NULL WHERE seq = 4", "4"],
    ["a charge of an unknown tier", "UPDATE ledger SET tier = 'gold' WHERE seq = 4", "4"],
  ])("continues a ledger with %s", async (_what, statement, subject) => {
    await reverseCharge(db, { seq: 7, note: "by mistake", at: at(10) });
    await tamper(db, statement);
    expect((await verify()).fault).toMatchObject({ subject });
    await state(subject);
    expect([(await verify()).fault, await countCharges(db, accountId, "2026-11")]).toEqual([null, 6]);
  });

  it("is assigned to the account of its row", async () => {
    const other = await ensureAccount(db, { name: "Hospital", at: at(0) });
    await charge(1, 20, other.id);
    await tamper(db, "UPDATE ledger SET uuid = 'x', uuid_nfc = 'x' WHERE seq = 4");
    await state("4");
    expect(await listLedgerEvents(db, {})).toContainEqual(expect.objectContaining({ kind: "statement", accountId }));
  });

  it("covers one state of a row only: another change is a new fault", async () => {
    await tamper(db, "UPDATE ledger SET uuid = 'x', uuid_nfc = 'x' WHERE seq = 4");
    await state("4");
    await tamper(db, "UPDATE ledger SET uuid = 'y', uuid_nfc = 'y' WHERE seq = 4");
    expect((await verify()).fault).toMatchObject({ subject: "4" });
  });

  it("is ignored without a valid signature", async () => {
    await tamper(db, "UPDATE ledger SET uuid = 'x', uuid_nfc = 'x' WHERE seq = 4");
    await state("4");
    await tamper(db, "UPDATE ledger SET note = replace(note, 'disk died', 'all well') WHERE kind = 'statement'");
    expect((await verify()).fault).toMatchObject({ subject: "4" });
  });

  it("updates the noted head and the count of the month after rows were lost", async () => {
    await tamper(db, "DELETE FROM ledger WHERE seq > 5");
    await reopen();
    expect((await verify()).fault).toMatchObject({ subject: "6" });
    await state("6");
    expect([(await verify()).fault, await listVolumes(db), readNotedHead(db)?.ledgerSeq]).toEqual([
      null,
      [{ accountId, period: "2026-11", calls: 5 }],
      6,
    ]);
    await charge(2, 59);
    expect([(await verify()).fault, readNotedHead(db)?.ledgerSeq]).toEqual([null, 8]);
  });

  it("is refused for an intact record", async () => {
    await expect(state("4")).rejects.toThrow(expect.objectContaining({ code: "CONFLICT" }));
  });
});

describe("the ledger's clock", () => {
  it("returns billing_error and charges nothing while the time is before the last row", async () => {
    const faults: string[] = [];
    let callId = 0;
    const bill = (uuid: string, minute: number) =>
      recordAnsweredCall(
        { db, deliveries: new Map(), now: () => at(minute), reportFault: ({ code }) => faults.push(code) },
        { ...meteredCall({ accountId, uuid, at: at(minute) }), callId: `call ${++callId}`, answerUntil: null },
      );
    await bill("rex", 40);
    // Clocks of workstations that share a database may differ.
    expect([await bill("rex", isOnPostgres ? 34 : 39), await bill("bella", -60)]).toMatchObject([
      { billable: false, reason: "billing_error", monthly_usage: 8 },
      { billable: false, reason: "billing_error", monthly_usage: 8 },
    ]);
    expect(faults).toEqual(["CLOCK_BEHIND", "CLOCK_BEHIND"]);
    expect(await verify()).toMatchObject({ fault: null, rows: 8, seals: 8 });
    expect(await bill("bella", 40)).toMatchObject({ billable: true, monthly_usage: 9 });
  });

  it.runIf(isOnPostgres)(
    "refuses charges of a workstation whose clock is far ahead of the shared database's, and tolerates a slight lead",
    async () => {
      const faults: string[] = [];
      const bill = async (callId: string, aheadMinutes: number, uuid: string) => {
        const now = new Date(Date.now() + aheadMinutes * 60_000);
        const context = {
          db,
          deliveries: new Map(),
          now: () => now,
          reportFault: ({ code }: Fault) => faults.push(code),
        };
        const call = { ...meteredCall({ accountId, uuid, at: now }), callId, answerUntil: null };
        return (await recordAnsweredCall(context, call)).reason;
      };
      expect(await bill("far ahead", 6, "rex")).toBe("billing_error");
      expect([faults, (await verify()).rows]).toEqual([["CLOCK_AHEAD"], 7]);
      expect(await bill("ahead", 4, "rex")).toBe("valid_vhs");
      expect([await bill("exact", 0, "bella"), await bill("again", 0, "rex")]).toEqual(["valid_vhs", "recheck_24h"]);
    },
  );

  it("continues from an administrator's statement after a call was charged by a clock years ahead", async () => {
    const ahead = new Date("2036-01-01T00:00:00Z");
    await recordBillableMeasurement(db, { accountId, at: ahead });
    const faults: string[] = [];
    const context = {
      db,
      deliveries: new Map(),
      now: () => at(59),
      reportFault: ({ message }: Fault) => faults.push(message),
    };
    const bill = (callId: string) =>
      recordAnsweredCall(context, { ...meteredCall({ accountId, at: at(59) }), callId, answerUntil: null });
    expect(await bill("stopped")).toMatchObject({ reason: "billing_error" });
    expect(faults).toEqual([expect.stringContaining("Row 8 of the ledger is dated 2036-01-01T00:00:00.000Z, later")]);
    const { fault } = await verifyRecord(db, readNotedHead(db), at(59));
    expect(fault).toMatchObject({ subject: "8", problem: { name: "ledgerRowAhead" } });
    await state("8");
    expect(await bill("goes on")).toMatchObject({ billable: true, monthly_usage: 8 });
    expect(await verifyRecord(db, readNotedHead(db), at(59))).toMatchObject({ fault: null, rows: 10 });
  });
});

describe("verification", () => {
  it("detects a monthly count that does not match the rows", async () => {
    await tamper(db, "UPDATE monthly_volumes SET calls = 3");
    expect((await verify()).fault).toMatchObject({ problem: { name: "ledgerMonthWrong", values: { found: 3 } } });
  });
});

describe("accounts and API keys referenced by charges", () => {
  let keyId = "";
  beforeEach(async () => {
    ({ keyId } = await createKey(db, { accountName: "Clinic", name: "PIMS", at: at(8) }));
    await createKey(db, { accountName: "Other clinic", name: "PIMS", at: at(8) });
    await renameApiKey(db, { keyId, name: "Practice software" });
    await setEnterpriseRates(db, { keyId, rates: { single: 150, session: 250 } });
    await revokeApiKey(db, { keyId, at: at(9) });
  });

  it("verify after every change by the program", async () => {
    expect(await verify()).toMatchObject({ fault: null });
    await setEnterpriseRates(db, { keyId, rates: null });
    await revokeApiKey(db, { keyId, at: at(10) });
    await rawly(db, "UPDATE api_keys SET last_used_at_ms = 1");
    expect(await verify()).toMatchObject({ fault: null });
  });

  it("do not verify after a change outside the program, until an administrator's statement", async () => {
    const secret = isOnPostgres ? "decode(repeat('00', 32), 'hex')" : "zeroblob(32)";
    for (const statement of [
      "UPDATE accounts SET name = 'Poor clinic', name_nfc = 'Poor clinic' WHERE name = 'Clinic'",
      "UPDATE accounts SET name_nfc = 'Poorer clinic' WHERE name = 'Other clinic'",
      "INSERT INTO accounts (id, name, name_nfc, created_at_ms) VALUES ('a', 'New', 'New', 0)",
      `UPDATE api_keys SET key_sha256 = ${secret} WHERE revoked_at_ms IS NOT NULL`,
      "UPDATE api_keys SET enterprise_single_cents = 1 WHERE enterprise_single_cents = 150",
      "UPDATE api_keys SET name = 'other' WHERE revoked_at_ms IS NOT NULL",
      "DELETE FROM api_keys WHERE revoked_at_ms IS NULL",
      "UPDATE api_keys SET account_id = (SELECT id FROM accounts WHERE name = 'Other clinic')",
      "UPDATE api_keys SET revoked_at_ms = NULL",
    ]) {
      await tamper(db, statement);
      const { fault } = await verify();
      expect([statement, fault?.subject]).toEqual([statement, expect.stringMatching(/^(?:accounts|api_keys)\//)]);
      await state(fault?.subject ?? "");
      expect([statement, (await verify()).fault]).toEqual([statement, null]);
    }
  });

  it.runIf(!isOnPostgres)(
    onlyOn("SQLite", "verify further after the detail of an event was made unreadable"),
    async () => {
      await tamper(db, "UPDATE audit_events SET detail = '{' WHERE action = 'key.renamed'");
      await state((await verify()).fault?.subject ?? "");
      expect((await verify()).fault).toMatchObject({ subject: `api_keys/${keyId}`, problem: { name: "valueChanged" } });
    },
  );
});
