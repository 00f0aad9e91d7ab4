import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { runAsActor } from "../../../main/store/audit/acting.ts";
import { listAuditEvents, readAuditEvents, recordAudit } from "../../../main/store/audit/audit-events.ts";
import { readNotedHead } from "../../../main/store/ledger/record-anchor.ts";
import { verifyRecord } from "../../../main/store/record/record-verification.ts";
import { transaction } from "../../../main/store/engines/engine.ts";
import { isOnPostgres, onlyOn, rawly, tamper } from "../../fixtures/raw-store.ts";
import { useStore } from "../../fixtures/use-store.ts";

const store = useStore();
const at = new Date("2026-11-10T09:00:00Z");
const everything = { limit: 100, offset: 0 };
const weber = { via: "window", personId: "p1", who: "Dr Weber" } as const;

const fault = async () => (await verifyRecord(store.db, readNotedHead(store.db))).fault;

async function recordThree(): Promise<void> {
  await recordAudit(store.db, { action: "key.created", at, subject: "k1", detail: { name: "PIMS" } });
  await runAsActor(weber, () => recordAudit(store.db, { action: "patient.edited", at, patientId: "rex" }));
  await recordAudit(store.db, { action: "key.revoked", at: new Date(at.getTime() + 60_000), subject: "k1", by: weber });
  await Promise.resolve();
}

describe("the audit trail", () => {
  it("stores action, subject and time, newest first", async () => {
    await recordThree();
    const { rows, total } = await listAuditEvents(store.db, everything);
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

  it("records the acting user across awaits, and no other", async () => {
    const { promise: isRecorded, resolve: recorded } = Promise.withResolvers<undefined>();
    const actLate = () =>
      runAsActor(weber, async () => {
        await isRecorded;
        await recordAudit(store.db, { action: "film.removed", at });
      });
    const actAsNobody = async () => {
      await recordAudit(store.db, { action: "backup.made", at });
      recorded(undefined);
    };
    await Promise.all([actLate(), actAsNobody()]);
    expect((await listAuditEvents(store.db, everything)).rows.map(({ action, who }) => [action, who])).toEqual([
      ["film.removed", "Dr Weber"],
      ["backup.made", null],
    ]);
  });

  it("filters events by user, action, time and patient", async () => {
    await recordThree();
    const actionsOf = async (filter: object) =>
      (await listAuditEvents(store.db, { ...everything, ...filter })).rows.map((row) => row.seq);
    expect([
      await actionsOf({ who: "weber" }),
      await actionsOf({ who: "null" }),
      await actionsOf({ actions: ["key.created", "key.revoked"] }),
      await actionsOf({ patientId: "rex" }),
      await actionsOf({ fromMs: at.getTime() + 1 }),
      await actionsOf({ toMs: at.getTime() + 1 }),
      await actionsOf({ limit: 1, offset: 1 }),
    ]).toEqual([[3, 2], [], [3, 1], [2], [3], [2, 1], [2]]);
    expect((await Array.fromAsync(readAuditEvents(store.db, { who: "weber" }))).map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it("rolls an event back with the recorded action", async () => {
    const act = () =>
      transaction(store.db, async () => {
        await recordAudit(store.db, { action: "patient.created", at, patientId: randomUUID() });
        throw new Error("no room");
      });
    await expect(act()).rejects.toThrow("no room");
    expect((await listAuditEvents(store.db, everything)).total).toBe(0);
    expect(await fault()).toBeNull();
  });

  it.runIf(!isOnPostgres)(onlyOn("SQLite", "refuses the replacement of a row"), async () => {
    await recordThree();
    const sql = "INSERT OR REPLACE INTO audit_events SELECT * FROM audit_events WHERE seq = 2";
    await expect(rawly(store.db, sql)).rejects.toThrow(/append-only|at the end/);
    expect(await fault()).toBeNull();
  });

  it.each([
    ["changed", "UPDATE audit_events SET who = 'Dr Else' WHERE seq = 2", "audit_events/2", "valueChanged"],
    ["deleted", "DELETE FROM audit_events WHERE seq = 2", "audit_events/2", "valueMissing"],
    [
      "removed from the end with its seal and every trace in the store",
      `DELETE FROM audit_events WHERE seq = 3; DELETE FROM value_seals WHERE seq = 3;
       UPDATE ${isOnPostgres ? "last_given" : "sqlite_sequence"} SET seq = 2`,
      "seal/noted",
      "notedSealsLost",
    ],
    [
      "inserted without the program",
      "INSERT INTO audit_events (seq, at_ms, action, via, detail) VALUES (4, 0, 'key.created', 'window', '{}')",
      "audit_events/4",
      "valueUnsealed",
    ],
  ])("detects an event that was %s", async (_what, sql, subject, problem) => {
    await recordThree();
    await tamper(store.db, sql);
    expect(await fault()).toMatchObject({ subject, problem: { name: problem } });
  });
});
