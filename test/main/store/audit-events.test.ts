import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { actingAs } from "../../../main/store/audit/acting.ts";
import { listAuditEvents, readAuditEvents, recordAudit } from "../../../main/store/audit/audit-events.ts";
import { openStore, type WritableDb } from "../../../main/store/database.ts";
import { readAnchor } from "../../../main/store/ledger/record-anchor.ts";
import { verifyRecord } from "../../../main/store/record/record-verification.ts";
import { storeFile } from "../../../main/store/store-files.ts";
import { temporaryDataDir } from "./sample-store.ts";

let dir = temporaryDataDir();
let db: WritableDb;
const at = new Date("2026-11-10T09:00:00Z");
const everything = { limit: 100, offset: 0 };
const weber = { via: "window", personId: "p1", who: "Dr Weber" } as const;

beforeEach(() => {
  dir = temporaryDataDir();
  db = openStore(dir.dataDir);
});
afterEach(() => {
  if (db.open) db.close();
  dir.remove();
});

/** What someone could do who opens the file with another program. */
function tamper(sql: string): void {
  const other = new Database(storeFile(dir.dataDir));
  for (const trigger of other.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    other.exec(`DROP TRIGGER ${String(trigger)}`);
  other.exec(sql);
  other.close();
}

const fault = () => verifyRecord(db, readAnchor(dir.dataDir)).fault;

async function recordThree(): Promise<void> {
  recordAudit(db, { action: "key.created", at, subject: "k1", detail: { name: "PIMS" } });
  actingAs(weber, () => recordAudit(db, { action: "patient.edited", at, patientId: "rex" }));
  recordAudit(db, { action: "key.revoked", at: new Date(at.getTime() + 60_000), subject: "k1", by: weber });
  await Promise.resolve();
}

describe("the audit trail", () => {
  it("keeps what was done, to what and when, newest first", async () => {
    await recordThree();
    const { rows, total } = listAuditEvents(db, everything);
    expect(total).toBe(3);
    expect(rows.map(({ action, subject, patientId }) => [action, subject, patientId])).toEqual([
      ["key.revoked", "k1", null],
      ["patient.edited", null, "rex"],
      ["key.created", "k1", null],
    ]);
    expect(rows[2]).toEqual({
      seq: 1,
      atMs: at.getTime(),
      action: "key.created",
      via: "program",
      personId: null,
      who: null,
      patientId: null,
      subject: "k1",
      detail: { name: "PIMS" },
    });
  });

  it("names who acts, through everything that is awaited, and nobody else", async () => {
    const late = actingAs(weber, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      recordAudit(db, { action: "film.removed", at });
    });
    recordAudit(db, { action: "backup.made", at });
    await late;
    expect(listAuditEvents(db, everything).rows.map(({ action, who }) => [action, who])).toEqual([
      ["film.removed", "Dr Weber"],
      ["backup.made", null],
    ]);
  });

  it("is filtered by who, what, when and patient", async () => {
    await recordThree();
    const actionsOf = (filter: object) => listAuditEvents(db, { ...everything, ...filter }).rows.map((row) => row.seq);
    expect([
      actionsOf({ who: "weber" }),
      actionsOf({ actions: ["key.created", "key.revoked"] }),
      actionsOf({ patientId: "rex" }),
      actionsOf({ fromMs: at.getTime() + 1 }),
      actionsOf({ toMs: at.getTime() + 1 }),
      actionsOf({ limit: 1, offset: 1 }),
    ]).toEqual([[3, 2], [3, 1], [2], [3], [2, 1], [2]]);
    expect([...readAuditEvents(db, { who: "weber" })].map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it("is taken back with what it records", () => {
    const act = db.transaction(() => {
      recordAudit(db, { action: "patient.created", at, patientId: randomUUID() });
      throw new Error("no room");
    });
    expect(() => act.immediate()).toThrow("no room");
    expect(listAuditEvents(db, everything).total).toBe(0);
    expect(fault()).toBeNull();
  });

  it.each([
    "UPDATE audit_events SET who = 'Dr Else' WHERE seq = 2",
    "DELETE FROM audit_events WHERE seq = 2",
    "INSERT OR REPLACE INTO audit_events SELECT * FROM audit_events WHERE seq = 2",
    "INSERT INTO audit_events (seq, at_ms, action, via, detail) VALUES (7, 0, 'key.created', 'window', '{}')",
  ])("refuses %s", async (sql) => {
    await recordThree();
    expect(() => db.exec(sql)).toThrow(/append-only|at the end/);
    expect(fault()).toBeNull();
  });

  it.each([
    ["changed", "UPDATE audit_events SET who = 'Dr Else' WHERE seq = 2", "audit_events/2", "valueChanged"],
    ["taken out", "DELETE FROM audit_events WHERE seq = 2", "audit_events/2", "valueMissing"],
    [
      "cut off with its seal and every trace in the store",
      `DELETE FROM audit_events WHERE seq = 3; DELETE FROM value_seals WHERE seq = 3;
       UPDATE sqlite_sequence SET seq = 2`,
      "seal/noted",
      "notedSealsLost",
    ],
    [
      "written in beside the program",
      "INSERT INTO audit_events (seq, at_ms, action, via, detail) VALUES (4, 0, 'key.created', 'window', '{}')",
      "audit_events/4",
      "valueUnsealed",
    ],
  ])("finds an event that was %s", async (_what, sql, subject, problem) => {
    await recordThree();
    tamper(sql);
    expect(fault()).toMatchObject({ subject, problem: { name: problem } });
  });
});

describe("seals of an older store", () => {
  it("keep their numbers, their hashes and the memory of what was cut off", async () => {
    await recordThree();
    const before = db.prepare("SELECT * FROM value_seals").all();
    db.close();
    // As it was before the migration: without its rows the migration would run anew.
    tamper(
      `DROP TABLE audit_events; DELETE FROM migrations WHERE name LIKE '0400-%';
       DELETE FROM value_seals WHERE seq = 3`,
    );
    db = openStore(dir.dataDir);
    expect(db.prepare("SELECT * FROM value_seals").all()).toEqual(before.slice(0, 2));
    expect(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'value_seals'").pluck().get()).toBe(3);
  });
});
