// Runs once: opens PostgreSQL or both engines directly.
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";
import { createPostgresStore } from "../../../../main/store/engines/postgres/postgres-store.ts";
import { createSqliteStore } from "../../../../main/store/engines/sqlite/sqlite-store.ts";
import { mergePatients } from "../../../../main/store/films/merged-patients.ts";
import { applyMigrations } from "../../../../main/store/migrations.ts";
import { findIdentity, identityOf } from "../../../../main/store/privacy/patient-record.ts";
import { isScreeningOf } from "../../../../main/store/usg-predictions.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { engines } from "./test-store.ts";

let remove: () => Promise<void> = () => Promise.resolve();
afterEach(() => remove());

/** A store as the program made it before screenings named their cat. */
async function openEarlierStore(engine: (typeof engines)[number]): Promise<WritableDb> {
  const database = engine === "postgres" ? await temporaryDatabase({ hasStore: false }) : null;
  const db = database === null ? createSqliteStore(new Database(":memory:")) : createPostgresStore(database.url);
  remove = async () => {
    await db.destroy();
    await database?.remove();
  };
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-migrations-"));
  const { migrationsDir } = engineOf(db).schema;
  for (const name of readdirSync(migrationsDir).filter((file) => /^\d{4}-/.test(file) && file < "0610"))
    cpSync(path.join(migrationsDir, name), path.join(folder, name));
  await applyMigrations(db, folder);
  rmSync(folder, { recursive: true });
  await rawly(db, "INSERT INTO accounts (id, name, name_nfc, created_at_ms) VALUES ('a', 'Clinic', 'Clinic', 0)");
  return db;
}

async function addCat(db: WritableDb, id: string, uuid: string | null, createdAtMs = 1): Promise<void> {
  await sql`INSERT INTO patients (id, name, species, breed, owner, uuid, uuid_nfc, created_at_ms, last_seen_at_ms)
    VALUES (${id}, ${id}, 'cat', '', '', ${uuid}, ${uuid}, ${createdAtMs}, ${createdAtMs})`.execute(db);
}

/** A screening at the moment 5, as a program writes it that knows nothing of `screened_patients`. */
async function screen(db: WritableDb, uuid: string | null, billing = "not_metered"): Promise<void> {
  await sql`INSERT INTO usg_predictions (call_id, account_id, uuid, uuid_nfc, at_ms, bun_mg_per_dl, creatinine_mg_per_dl,
      haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier, pack_name, pack_version,
      model_version, program_version, result, billing)
    VALUES (${`${uuid} ${billing}`}, 'a', ${uuid}, ${uuid}, 5, 1, 1, 1, 1, 1, 0.1, 'low', '', '', '', '', '{}', ${billing})
    `.execute(db);
}

async function callsOf(db: WritableDb, identity: Parameters<typeof isScreeningOf>[0]): Promise<readonly string[]> {
  const kept = db.selectFrom("usgPredictions").select("callId").where(isScreeningOf(identity)).orderBy("callId");
  return (await kept.execute()).map(({ callId }) => callId);
}
const of = async (db: WritableDb, patientId: string) => callsOf(db, await identityOf(db, patientId));

describe.each(engines)("a store on %s whose screenings do not name their cat", (engine) => {
  it("gives each made in the window to the cat that its identifier names, if that was there already", async () => {
    const db = await openEarlierStore(engine);
    await addCat(db, "mia", "P-1");
    await addCat(db, "leo", "P-2");
    await addCat(db, "tom", "P-3", 9);
    await rawly(db, "INSERT INTO patient_aliases (uuid_nfc, uuid, patient_id) VALUES ('P-4', 'P-4', 'mia')");
    for (const uuid of ["mia", "P-2", "P-3", "P-4", null]) await screen(db, uuid);
    await screen(db, "P-2", "billed");
    await applyMigrations(db);
    expect([await of(db, "mia"), await of(db, "leo"), await of(db, "tom")]).toEqual([
      ["P-4 not_metered", "mia not_metered"],
      ["P-2 billed", "P-2 not_metered"],
      [],
    ]);
  });

  it("gives those of a cat that was merged to the one that it is now, which may be younger", async () => {
    const db = await openEarlierStore(engine);
    await addCat(db, "january", null, 1);
    await screen(db, "january");
    await addCat(db, "june", "P-1", 9);
    await rawly(db, "DELETE FROM patients WHERE id = 'january'");
    await rawly(db, "INSERT INTO patient_aliases (uuid_nfc, uuid, patient_id) VALUES ('january', 'january', 'june')");
    await applyMigrations(db);
    expect(await of(db, "june")).toEqual(["january not_metered"]);
  });

  it("finds one that is nobody's under its identifier, as long as no patient has that", async () => {
    const db = await openEarlierStore(engine);
    await screen(db, "P-1");
    await applyMigrations(db);
    expect(await callsOf(db, await findIdentity(db, "P-1"))).toEqual(["P-1 not_metered"]);
    await addCat(db, "tom", "P-1", 9);
    expect(await callsOf(db, await findIdentity(db, "P-1"))).toEqual([]);
  });

  it("is migrated in a moment, however many patients and screenings it has", async () => {
    const db = await openEarlierStore(engine);
    const numbers = (upTo: number) =>
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${upTo})`;
    await rawly(
      db,
      `${numbers(20_000)} INSERT INTO patients (id, name, species, breed, owner, uuid, uuid_nfc, created_at_ms, last_seen_at_ms)
        SELECT 'cat ' || n, '', 'cat', '', '', 'P-' || n, 'P-' || n, 1, 1 FROM numbers`,
    );
    await screen(db, "P-0");
    const copied = (await rawly(db, "SELECT * FROM usg_predictions"))[0] ?? {};
    const columns = Object.keys(copied).filter((name) => !["rowid", "call_id", "uuid", "uuid_nfc"].includes(name));
    await rawly(
      db,
      `${numbers(2000)} INSERT INTO usg_predictions (call_id, uuid, uuid_nfc, ${columns.join(", ")})
        SELECT 'call ' || n, 'P-' || n, 'P-' || n, ${columns.join(", ")} FROM numbers, usg_predictions`,
    );
    const before = performance.now();
    await applyMigrations(db);
    expect(performance.now() - before).toBeLessThan(5000);
    expect(await of(db, "cat 7")).toEqual(["call 7"]);
  });
});

describe.runIf(hasPostgres)("a program that runs on beside a newer one", () => {
  it("leaves each screening of its window with the cat that has the identifier", async () => {
    const db = await openEarlierStore("postgres");
    await applyMigrations(db);
    await addCat(db, "mia", null);
    await addCat(db, "leo", "P-2");
    await addCat(db, "twin", "P-3");
    await mergePatients(db, "leo", "twin");
    for (const uuid of ["mia", "P-2", "P-3", null]) await screen(db, uuid);
    await screen(db, "P-2", "billed");
    await rawly(db, "UPDATE patients SET uuid = 'P-9', uuid_nfc = 'P-9' WHERE id = 'leo'");
    expect([await of(db, "mia"), await of(db, "leo")]).toEqual([
      ["mia not_metered"],
      ["P-2 not_metered", "P-3 not_metered"],
    ]);
  });
});
