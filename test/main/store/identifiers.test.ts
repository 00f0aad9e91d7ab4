import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordBillableMeasurement } from "../../../main/services/calls/billing.ts";
import { ensureAccount } from "../../../main/store/people/accounts.ts";
import { openStore, type WritableDb } from "../../../main/store/database.ts";
import { savePatient } from "../../../main/store/films/patients.ts";
import { listTrend } from "../../../main/store/films/trend.ts";
import { listLedgerEvents } from "../../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../../../main/store/ledger/ledger-verification.ts";
import { appendCharge } from "../../../main/store/ledger/ledger.ts";
import { getHistory } from "../../../main/store/measurements.ts";
import { applyMigrations, migrationsDir } from "../../../main/store/migrations.ts";
import { storeFile } from "../../../main/store/store-files.ts";
import { meteredCall, temporaryDataDir, temporaryStore } from "./sample-store.ts";
import { sqliteFileOf } from "../../../main/store/engines/engine.ts";
import { createSqliteStore } from "../../../main/store/engines/sqlite/sqlite-store.ts";
import { isOnPostgres, onlyOn } from "../../fixtures/raw-store.ts";

const composed = "Zoë 1";
const decomposed = "Zoe\u0308 1";
const at = new Date("2026-11-10T09:00:00Z");
const fail = (fault: { readonly message: string }) => expect.unreachable(fault.message);

describe("one identifier in two Unicode forms", () => {
  let store: Awaited<ReturnType<typeof temporaryStore>>;
  beforeEach(async () => {
    store = await temporaryStore();
  });
  afterEach(() => store.remove());

  it("is one patient: one history, one recheck grace, kept as each came", async () => {
    const accountId = (await ensureAccount(store.db, { name: "Clinic", at })).id;
    const bill = async (uuid: string, minutes: number) =>
      (
        await recordBillableMeasurement(
          store.db,
          meteredCall({ accountId, uuid, at: new Date(at.getTime() + minutes * 60_000) }),
          fail,
        )
      ).reason;
    expect([await bill(decomposed, 0), await bill(composed, 1)]).toEqual(["valid_vhs", "recheck_24h"]);
    expect((await getHistory(store.db, { accountId, uuid: composed })).historicVhs).toHaveLength(2);
    expect(await listTrend(store.db, { id: "nobody", uuid: decomposed })).toHaveLength(2);
    expect((await listLedgerEvents(store.db)).map(({ uuid }) => uuid)).toEqual([decomposed]);
  });

  it("is one account and one patient of the practice", async () => {
    const first = await ensureAccount(store.db, { name: `Praxis ${decomposed}`, at });
    expect(await ensureAccount(store.db, { name: `praxis ${composed}`, at })).toEqual(first);
    const patient = { name: "", species: "dog", breed: "", owner: "", createdAtMs: 0, lastSeenAtMs: 0 } as const;
    await savePatient(store.db, { ...patient, id: "1", uuid: decomposed });
    await savePatient(store.db, { ...patient, id: "1", uuid: decomposed });
    await expect(savePatient(store.db, { ...patient, id: "2", uuid: composed })).rejects.toThrow(
      expect.objectContaining({ code: "CONFLICT" }),
    );
  });

  it("never reaches the ledger as half a surrogate pair", async () => {
    const accountId = (await ensureAccount(store.db, { name: "Clinic", at })).id;
    const charge = { callId: "1", accountId, keyId: null, service: "usg", callType: "single", at } as const;
    const agreements = { enterprise: null, usgCents: null };
    await expect(
      appendCharge(store.db, { ...charge, uuid: "rex \ud83d", measurementId: null, agreements }),
    ).rejects.toThrow(expect.objectContaining({ code: "INVALID_FIELD", message: expect.stringContaining("uuid") }));
  });
});

// PostgreSQL's stores began with compared identifiers.
describe.runIf(!isOnPostgres)(onlyOn("SQLite", "a store from before identifiers were compared"), () => {
  it("keeps its ledger, what is undelivered and the highest number given, and finds its patients in either form", async () => {
    const { dataDir, remove } = temporaryDataDir();
    const db = await openOlderStore(dataDir, "0310", (old) =>
      old.exec(`
      INSERT INTO accounts VALUES ('a', 'Clinic', 0);
      INSERT INTO ledger VALUES (1, 'charge', 'c1', 'a', NULL, 'usg', 'single', '${decomposed}', 1, '1970-01', 1, 'paygo', NULL, 'USD', NULL, NULL, NULL,
        '${"0".repeat(64)}', 'h1');
      INSERT INTO ledger VALUES (2, 'reversal', 'c1', 'a', NULL, 'usg', 'single', '${decomposed}', 2, '1970-01', NULL, 'paygo', NULL, 'USD', 1, 'x', NULL, 'h1', 'h2');
      INSERT INTO ledger VALUES (3, 'charge', 'c2', 'a', NULL, 'usg', 'single', NULL, 3, '1970-01', 1, 'paygo', NULL, 'USD', NULL, NULL, NULL, 'h2', 'h3');
      INSERT INTO undelivered_charges VALUES ('c2', 3, NULL);
      UPDATE sqlite_sequence SET seq = 5 WHERE name = 'ledger';
    `),
    );
    expect({
      events: (await listLedgerEvents(db)).map(({ seq, uuid, hash }) => [seq, uuid, hash]),
      compared: sqliteFileOf(db).prepare("SELECT uuid_nfc FROM ledger ORDER BY seq").pluck().all(),
      undelivered: sqliteFileOf(db).prepare("SELECT call_id, seq FROM undelivered_charges").raw().all(),
      lastSeq: sqliteFileOf(db).prepare("SELECT seq FROM sqlite_sequence WHERE name = 'ledger'").pluck().get(),
      account: (await ensureAccount(db, { name: "clinic", at })).id,
    }).toEqual({
      events: [
        [3, null, "h3"],
        [2, decomposed, "h2"],
        [1, decomposed, "h1"],
      ],
      compared: [composed, composed, null],
      undelivered: [["c2", 3]],
      lastSeq: 5,
      account: "a",
    });
    expect(() => sqliteFileOf(db).exec("UPDATE ledger SET uuid = 'x'")).toThrow("append-only");
    expect(() => sqliteFileOf(db).exec("DELETE FROM ledger")).toThrow("append-only");
    expect(await verifyLedger(db)).toMatchObject({ isIntact: false, brokenAtSeq: 1 });
    await db.destroy();
    remove();
  });
});

/** A store as it was before a migration, filled, and opened by this program. */
async function openOlderStore(
  dataDir: string,
  before: string,
  fill: (old: Database.Database) => void,
): Promise<WritableDb> {
  const earlier = mkdtempSync(path.join(tmpdir(), "corvet-earlier-"));
  for (const name of readdirSync(migrationsDir).filter((file) => file.endsWith(".sql") && file < before))
    copyFileSync(path.join(migrationsDir, name), path.join(earlier, name));
  await (await openStore(dataDir)).destroy();
  rmSync(storeFile(dataDir));
  const old = new Database(storeFile(dataDir));
  old.pragma("application_id = 0x434f5256");
  old.pragma("foreign_keys = ON");
  await applyMigrations(createSqliteStore(old), earlier);
  rmSync(earlier, { recursive: true });
  fill(old);
  old.close();
  return await openStore(dataDir);
}
