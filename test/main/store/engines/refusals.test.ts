// Runs once: opens PostgreSQL or both engines directly.
import { CompiledQuery, type Insertable } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { isTaken, transaction } from "../../../../main/store/engines/engine.ts";
import type { Tables } from "../../../../main/store/tables.ts";
import { engines, openTestStore } from "./test-store.ts";

const measurement: Insertable<Tables["measurements"]> = {
  ...{ id: 1, callId: "call", photoIndex: 0, isBest: 1, accountId: "account", service: "cardiac", atMs: 1 },
  ...{ imageSha256: "", packName: "", packVersion: "", modelVersion: "", programVersion: "", parameters: "{}" },
  ...{ widthPx: 1, heightPx: 1, classifierConfidence: 1, resultCode: 0, vhs: 10, popDetected: 0, uuid: "Bello" },
};
const charge: Insertable<Tables["ledger"]> = {
  ...{ seq: 1, kind: "charge", callId: "call", accountId: "account", service: "cardiac", callType: "single", atMs: 1 },
  ...{ period: "2026-11", ordinal: 1, tier: "paygo", amountCents: 500, currency: "EUR", measurementId: 1 },
  ...{ uuid: "Bello", uuidNfc: "Bello", previousHash: "0", hash: "1" },
};
const screening: Insertable<Tables["usgPredictions"]> = {
  ...{ callId: "screening", accountId: "account", atMs: 1, bunMgPerDl: 1, creatinineMgPerDl: 1, haemoglobinGPerDl: 1 },
  ...{ lymphocytesPerUl: 1, ageMonths: 1, probabilityImpaired: 0.5, riskTier: "low", packName: "", packVersion: "" },
  ...{ modelVersion: "", programVersion: "", result: "{}", billing: "billed", thresholdImpaired: 0.5 },
};
const film: Insertable<Tables["films"]> = {
  ...{ id: "film", fileName: "film.dcm", sha256: "a".repeat(64), origin: "file", addedAtMs: 1, takenAtMs: 1 },
  ...{ state: "done", widthPx: 1, heightPx: 1, hasImage: 1 },
};
const reading: Insertable<Tables["readings"]> = {
  ...{ id: "reading", filmId: "film", version: 1, source: "model", atMs: 1, remark: "", detail: "{}" },
};
const key: Insertable<Tables["apiKeys"]> = {
  ...{ id: "key", accountId: "account", name: "", keySha256: Buffer.alloc(32), createdAtMs: 1 },
};

async function fill(db: WritableDb): Promise<void> {
  await db
    .insertInto("accounts")
    .values({ id: "account", name: "Clinic", nameNfc: "Clinic", createdAtMs: 1 })
    .execute();
  await db.insertInto("apiKeys").values(key).execute();
  await db.insertInto("measurements").values(measurement).execute();
  await db.insertInto("ledger").values(charge).execute();
  await db.insertInto("usgPredictions").values(screening).execute();
  await db.insertInto("films").values(film).execute();
  await db.insertInto("readings").values(reading).execute();
  await db.insertInto("readingValues").values({ readingId: "reading", measure: "VHS", value: 10 }).execute();
  const annotation = { id: "annotation", filmId: "film", version: 1, atMs: 1, content: "{}" };
  await db.insertInto("annotations").values(annotation).execute();
  const seal = { seq: 1, source: "readings" as const, rowKey: "reading", previousHash: "0", hash: "1" };
  await db.insertInto("valueSeals").values(seal).execute();
  const event = { seq: 1, atMs: 1, action: "film.dated" as const, via: "window" as const, detail: "{}" };
  await db.insertInto("auditEvents").values(event).execute();
  await db.insertInto("erasedRows").values({ subject: "1", pseudonym: "erased" }).execute();
  const person = { id: "person", name: "Ada", role: "assistant" as const, secretHash: "", createdAtMs: 1 };
  await db.insertInto("people").values(person).execute();
}

const kept: readonly (readonly [statement: string, message: string])[] = [
  ["DELETE FROM ledger", "the ledger is append-only"],
  ["UPDATE ledger SET note = 'other'", "the ledger is append-only"],
  ["UPDATE ledger SET amount_cents = 500", "the ledger is append-only"],
  ["UPDATE ledger SET uuid = 'other', uuid_nfc = 'other'", "the ledger is append-only"],
  ["DELETE FROM measurements", "measurements never go"],
  ["UPDATE measurements SET result_code = 1", "measurements never change"],
  ["UPDATE measurements SET vhs = 11", "measurements never change"],
  ["UPDATE measurements SET outline = '[]'", "measurements never change"],
  ["DELETE FROM usg_predictions", "screenings never go"],
  ["UPDATE usg_predictions SET age_months = 2", "screenings never change"],
  ["DELETE FROM readings", "readings are versions and never go"],
  ["UPDATE readings SET remark = 'other'", "readings are versions and never change"],
  ["DELETE FROM reading_values", "values belong to a version and never go"],
  ["UPDATE reading_values SET value = 11", "values belong to a version and never change"],
  ["DELETE FROM annotations", "annotations are versions and never go"],
  ["UPDATE annotations SET at_ms = 2", "annotations are versions and never change"],
  ["DELETE FROM value_seals", "seals are append-only"],
  ["UPDATE value_seals SET row_key = 'other'", "seals are append-only"],
  ["DELETE FROM audit_events", "the audit trail is append-only"],
  ["UPDATE audit_events SET who = 'other'", "the audit trail is append-only"],
  ["DELETE FROM erased_rows", "what was erased stays erased"],
  ["UPDATE erased_rows SET found = 'other'", "what was erased stays erased"],
  ["DELETE FROM people", "people retire and never go"],
  [
    "INSERT INTO value_seals (seq, source, row_key, previous_hash, hash) VALUES (3, '', '', '1', '3')",
    "appended at the end",
  ],
  [
    "INSERT INTO audit_events (seq, at_ms, action, via, detail) VALUES (1, 1, '', 'window', '{}')",
    "appended at the end",
  ],
];

describe.each(engines)("the store on %s", (engine) => {
  let store: Awaited<ReturnType<typeof openTestStore>>;
  let db: WritableDb;
  beforeAll(async () => {
    store = await openTestStore(engine);
    ({ db } = store);
    await fill(db);
  });
  afterAll(() => store.remove());
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement));

  it("refuses statements that would change or delete permanent rows", async () => {
    const refusals: unknown[] = [];
    for (const [statement] of kept)
      refusals.push([statement, await run(statement).catch((error: unknown) => (error as Error).message)]);
    expect(refusals).toEqual(kept.map(([statement, message]) => [statement, expect.stringContaining(message)]));
  });

  const insert = (table: keyof Tables, row: object) =>
    db
      .insertInto(table)
      .values(row as never)
      .execute();
  const refusalOf = (table: keyof Tables, row: object) => insert(table, row).catch((error: unknown) => error);
  const person = { id: "other", name: "ada", role: "assistant", secretHash: "", createdAtMs: 1 };

  it.each<[string, keyof Tables, object]>([
    [
      "an account whose name differs in case only",
      "accounts",
      { id: "other", name: "CLINIC", nameNfc: "", createdAtMs: 1 },
    ],
    ["a user with an existing name", "people", person],
    ["a key with an existing secret", "apiKeys", { ...key, id: "other" }],
    ["a film that is already on the worklist", "films", { ...film, id: "other" }],
    ["a second reading of the same version", "readings", { ...reading, id: "other" }],
    ["a second measurement of the same photo", "measurements", { ...measurement, id: 2 }],
  ])("reports %s as taken", async (_case, table, row) => expect(isTaken(await refusalOf(table, row))).toBe(true));

  const nextCharge = { ...charge, seq: 2, callId: "2", previousHash: "1", hash: "2" };
  const patient = { id: "p", name: "", species: "dog", breed: "", owner: "", createdAtMs: 1, lastSeenAtMs: 1 };

  it.each<[string, keyof Tables, object]>([
    ["a charge without its measurement", "ledger", { ...nextCharge, measurementId: null }],
    ["an invalid month", "ledger", { ...nextCharge, period: "26-11" }],
    [
      "a key of a missing account",
      "apiKeys",
      { ...key, id: "other", accountId: "nobody", keySha256: Buffer.alloc(32, 1) },
    ],
    ["a key hash that is not 32 bytes long", "apiKeys", { ...key, id: "other", keySha256: Buffer.alloc(31) }],
    ["a queued film without a queue number", "films", { ...film, id: "other", frameIndex: 1, state: "queued" }],
    [
      "a user's reading without the user",
      "readings",
      { ...reading, id: "other", version: 2, source: "person", verdict: "accepted" },
    ],
    ["invalid JSON", "settings", { key: "other", value: "{" }],
    ["an invalid date of birth", "patients", { ...patient, birthDate: "1.2.2020" }],
    ["a fraction in an integer column", "machines", { id: "1", name: "", programVersion: "", seenAtMs: 0.5 }],
  ])("refuses %s", async (_case, table, row) => {
    const refusal = await refusalOf(table, row);
    expect([refusal instanceof Error, isTaken(refusal)]).toEqual([true, false]);
  });

  it("returns texts, numbers and bytes exactly as written", async () => {
    const text = 'Ä "ß" 🐕 \\ \n ﬁ é';
    const json = '{ "b":1.10, "a":[ ], "b":2 }';
    const values = [0.1 + 0.2, Number.MIN_VALUE, Number.MAX_VALUE, -1e-7, 3];
    await db.insertInto("settings").values({ key: text, value: json }).execute();
    await db
      .insertInto("readingValues")
      .values(values.map((value, index) => ({ readingId: "reading", measure: `m${index}`, value })))
      .execute();
    const measured = db.selectFrom("readingValues").select("value").where("measure", "like", "m%").orderBy("measure");
    const [saved] = await db.selectFrom("settings").selectAll().where("key", "=", text).execute();
    const [{ keySha256 } = {}] = await db.selectFrom("apiKeys").select("keySha256").execute();
    expect([saved, (await measured.execute()).map(({ value }) => value), keySha256]).toEqual([
      { key: text, value: json },
      values,
      Buffer.alloc(32),
    ]);
  });
});

describe.each(engines)("the store on %s", (engine) => {
  let store: Awaited<ReturnType<typeof openTestStore>>;
  let db: WritableDb;
  beforeEach(async () => {
    store = await openTestStore(engine);
    ({ db } = store);
    await fill(db);
  });
  afterEach(() => store.remove());
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement));

  it("accepts ledger rows only at the end", async () => {
    const append = (seq: number) =>
      db
        .insertInto("ledger")
        .values({ ...charge, seq, callId: `call ${seq}`, ordinal: seq, previousHash: `${seq - 1}`, hash: `${seq}` })
        .execute();
    await expect(append(3)).rejects.toThrow("a ledger row is appended at the end");
    await append(2);
    await expect(append(2)).rejects.toThrow("a ledger row is appended at the end");
  });

  it("permits deletions only while a patient is erased", async () => {
    await transaction(db, async () => {
      await run("INSERT INTO erasing (pseudonym) VALUES ('erased')");
      await expect(transaction(db, () => run("UPDATE ledger SET uuid = 'other', uuid_nfc = 'other'"))).rejects.toThrow(
        "append-only",
      );
      await run("UPDATE ledger SET uuid = 'erased', uuid_nfc = 'erased'");
      await run(
        "UPDATE measurements SET uuid = 'erased', uuid_nfc = 'erased', is_best = 0, vhs = NULL, outline = NULL",
      );
      for (const table of ["usg_predictions", "reading_values", "readings", "annotations"])
        await run(`DELETE FROM ${table}`);
      await run("DELETE FROM erasing");
    });
    await expect(run("UPDATE measurements SET vhs = 10")).rejects.toThrow("measurements never change");
    const left = db.selectFrom("ledger").innerJoin("measurements", "measurements.id", "ledger.measurementId");
    expect(await left.select(["ledger.uuidNfc", "measurements.uuid", "measurements.vhs"]).execute()).toEqual([
      { uuidNfc: "erased", uuid: "erased", vhs: null },
    ]);
  });
});
