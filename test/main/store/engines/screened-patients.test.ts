// Runs once: opens PostgreSQL or both engines directly.
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { mergePatients } from "../../../../main/store/films/merged-patients.ts";
import { findIdentity, identityOf } from "../../../../main/store/privacy/patient-record.ts";
import { isScreeningOf } from "../../../../main/store/calls/usg-predictions.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { engines, openTestStore } from "./test-store.ts";

async function addCat(db: WritableDb, id: string, uuid: string | null, createdAtMs = 1): Promise<void> {
  await sql`INSERT INTO patients (id, name, species, breed, owner, uuid, uuid_nfc, created_at_ms, last_seen_at_ms)
    VALUES (${id}, ${id}, 'cat', '', '', ${uuid}, ${uuid}, ${createdAtMs}, ${createdAtMs})`.execute(db);
}

async function screen(db: WritableDb, uuid: string, patientId: string | null): Promise<void> {
  await sql`INSERT INTO usg_predictions (call_id, account_id, uuid, uuid_nfc, at_ms, bun_mg_per_dl, creatinine_mg_per_dl,
      haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier, pack_name, pack_version,
      model_version, program_version, result, billing, threshold_impaired)
    VALUES (${uuid}, 'a', ${uuid}, ${uuid}, 5, 1, 1, 1, 1, 1, 0.1, 'low', '', '', '', '', '{}', 'not_metered', 0.5)`.execute(
    db,
  );
  if (patientId !== null) await db.insertInto("screenedPatients").values({ callId: uuid, patientId }).execute();
}

async function callsOf(db: WritableDb, identity: Parameters<typeof isScreeningOf>[0]): Promise<readonly string[]> {
  const kept = db.selectFrom("usgPredictions").select("callId").where(isScreeningOf(identity)).orderBy("callId");
  return (await kept.execute()).map(({ callId }) => callId);
}
const of = async (db: WritableDb, patientId: string) => callsOf(db, await identityOf(db, patientId));

// The tests share a store, with animals and numbers of their own.
describe.each(engines)("isScreeningOf on %s", (engine) => {
  let store: Awaited<ReturnType<typeof openTestStore>>;
  let db: WritableDb;
  beforeAll(async () => {
    store = await openTestStore(engine);
    ({ db } = store);
    await rawly(db, "INSERT INTO accounts (id, name, name_nfc, created_at_ms) VALUES ('a', 'Clinic', 'Clinic', 0)");
  });
  afterAll(() => store.remove());

  it("matches the screened patient even if its identifier has changed", async () => {
    await addCat(db, "mia", "P-1");
    await addCat(db, "leo", "P-2");
    await screen(db, "P-1", "mia");
    await screen(db, "P-2", "leo");
    await rawly(db, "UPDATE patients SET uuid = 'P-9', uuid_nfc = 'P-9' WHERE id = 'leo'");
    expect([await of(db, "mia"), await of(db, "leo")]).toEqual([["P-1"], ["P-2"]]);
  });

  it("matches the kept patient after a merge", async () => {
    await addCat(db, "minka", "P-3");
    await addCat(db, "twin", "P-4");
    await screen(db, "P-4", "twin");
    await mergePatients(db, "minka", "twin");
    expect(await of(db, "minka")).toEqual(["P-4"]);
  });

  it("matches unassigned screenings by identifier while no patient has it", async () => {
    await screen(db, "P-5", null);
    expect(await callsOf(db, await findIdentity(db, "P-5"))).toEqual(["P-5"]);
    await addCat(db, "tom", "P-5", 9);
    expect(await callsOf(db, await findIdentity(db, "P-5"))).toEqual([]);
  });
});
