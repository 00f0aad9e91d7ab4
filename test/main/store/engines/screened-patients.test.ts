// Runs once: opens PostgreSQL or both engines directly.
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { mergePatients } from "../../../../main/store/films/merged-patients.ts";
import { findIdentity, identityOf } from "../../../../main/store/privacy/patient-record.ts";
import { isScreeningOf } from "../../../../main/store/calls/usg-predictions.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { engines, openTestStore } from "./test-store.ts";

let remove: () => Promise<void> = () => Promise.resolve();
afterEach(() => remove());

async function open(engine: (typeof engines)[number]): Promise<WritableDb> {
  const store = await openTestStore(engine);
  remove = store.remove;
  await rawly(store.db, "INSERT INTO accounts (id, name, name_nfc, created_at_ms) VALUES ('a', 'Clinic', 'Clinic', 0)");
  return store.db;
}

async function addCat(db: WritableDb, id: string, uuid: string | null, createdAtMs = 1): Promise<void> {
  await sql`INSERT INTO patients (id, name, species, breed, owner, uuid, uuid_nfc, created_at_ms, last_seen_at_ms)
    VALUES (${id}, ${id}, 'cat', '', '', ${uuid}, ${uuid}, ${createdAtMs}, ${createdAtMs})`.execute(db);
}

/** Adds a screening made in the window, of a patient or unassigned. */
async function screen(db: WritableDb, uuid: string, patientId: string | null): Promise<void> {
  await sql`INSERT INTO usg_predictions (call_id, account_id, uuid, uuid_nfc, at_ms, bun_mg_per_dl, creatinine_mg_per_dl,
      haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier, pack_name, pack_version,
      model_version, program_version, result, billing)
    VALUES (${uuid}, 'a', ${uuid}, ${uuid}, 5, 1, 1, 1, 1, 1, 0.1, 'low', '', '', '', '', '{}', 'not_metered')`.execute(
    db,
  );
  if (patientId !== null) await db.insertInto("screenedPatients").values({ callId: uuid, patientId }).execute();
}

async function callsOf(db: WritableDb, identity: Parameters<typeof isScreeningOf>[0]): Promise<readonly string[]> {
  const kept = db.selectFrom("usgPredictions").select("callId").where(isScreeningOf(identity)).orderBy("callId");
  return (await kept.execute()).map(({ callId }) => callId);
}
const of = async (db: WritableDb, patientId: string) => callsOf(db, await identityOf(db, patientId));

describe.each(engines)("isScreeningOf on %s", (engine) => {
  it("matches the screened patient even if its identifier has changed", async () => {
    const db = await open(engine);
    await addCat(db, "mia", "P-1");
    await addCat(db, "leo", "P-2");
    for (const [uuid, cat] of [
      ["P-1", "mia"],
      ["P-2", "leo"],
    ] as const)
      await screen(db, uuid, cat);
    await rawly(db, "UPDATE patients SET uuid = 'P-9', uuid_nfc = 'P-9' WHERE id = 'leo'");
    expect([await of(db, "mia"), await of(db, "leo")]).toEqual([["P-1"], ["P-2"]]);
  });

  it("matches the kept patient after a merge", async () => {
    const db = await open(engine);
    await addCat(db, "leo", "P-2");
    await addCat(db, "twin", "P-3");
    await screen(db, "P-3", "twin");
    await mergePatients(db, "leo", "twin");
    expect(await of(db, "leo")).toEqual(["P-3"]);
  });

  it("matches unassigned screenings by identifier while no patient has it", async () => {
    const db = await open(engine);
    await screen(db, "P-1", null);
    expect(await callsOf(db, await findIdentity(db, "P-1"))).toEqual(["P-1"]);
    await addCat(db, "tom", "P-1", 9);
    expect(await callsOf(db, await findIdentity(db, "P-1"))).toEqual([]);
  });
});
