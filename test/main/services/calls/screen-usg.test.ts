import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprintOf, readPublicKey } from "../../../../main/inference/packs/pack-signature.ts";
import { signPackFolder } from "../../../../main/inference/packs/sign-pack-folder.ts";
import { programPacksDir } from "../../../../main/program.ts";
import { confirmDelivery, withdrawCharge, withdrawLostCharges } from "../../../../main/services/calls/delivery.ts";
import { openUsgScreening } from "../../../../main/services/calls/screen-usg.ts";
import { describeModel } from "../../../../main/services/program/usg-screenings.ts";
import { listLedgerEvents } from "../../../../main/store/ledger/ledger-reports.ts";
import { listUndelivered } from "../../../../main/store/ledger/undelivered-charges.ts";
import { publishersSetting, saveSetting } from "../../../../main/store/settings.ts";
import { listUsgPredictions, summariseUsgPredictions } from "../../../../main/store/calls/usg-predictions.ts";
import { examplePayload } from "../../../core/usg/example-payload.ts";
import { modelDocument, stump } from "../../../core/usg/random-model.ts";
import { openUsgServer, writePack, type UsgServer } from "../../server/service/usg-server.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { isOnPostgres, onlyOn, rawly, refuseRows } from "../../../fixtures/raw-store.ts";
import { folderForTest } from "../../../fixtures/folders.ts";

let server: UsgServer;
beforeEach(async () => {
  server = await openUsgServer();
});
afterEach(() => server.close());

const charges = async () =>
  (await listLedgerEvents(server.context.db)).map(({ service, ordinal, amountCents, uuid }) => ({
    service,
    ordinal,
    amountCents,
    uuid,
  }));
const predictions = () => rawly(server.context.db, "SELECT billing FROM usg_predictions ORDER BY rowid");
const billings = async () => (await predictions()).map(({ billing }) => billing);
const rows = async () => (await predictions()).length;

async function predictBody(body: object): Promise<number> {
  const { statusCode } = await server.predict({ ...examplePayload, ...body });
  return statusCode;
}

describe("metering", () => {
  it("logs the scored values and counts the call in the combined volume, without a price", async () => {
    await predictBody({ CREATININE: 176.8, clinic_code: "K-7", uuid: "cat-1" });
    const [row] = await rawly(server.context.db, "SELECT * FROM usg_predictions");
    const ofCat = { patientId: null, uuids: ["cat-1"] };
    const [kept] = await listUsgPredictions(server.context.db, ofCat, { limit: 10, offset: 0 });
    expect(row).toMatchObject({
      ...{ key_id: server.keyId, uuid: "cat-1", clinic_code: "K-7", at_ms: server.clock.at.getTime() },
      ...{ bun_mg_per_dl: 28, creatinine_mg_per_dl: 2, risk_tier: kept?.result.risk_tier },
      ...{ pack_name: "usg-corvet", model_version: "1.5a-corvet.1", billing: "billed" },
    });
    expect(await charges()).toEqual([{ service: "usg", ordinal: 1, amountCents: null, uuid: "cat-1" }]);
  });

  it("bills one of several concurrent calls per patient, every call without a uuid, and no refused call", async () => {
    await predictBody({ HGB: "abc" });
    await predictBody({ HGB: 500 });
    expect([await rows(), await charges()]).toEqual([0, []]);
    await Promise.all(Array.from({ length: 20 }, () => server.predict({ ...examplePayload, uuid: "cat-1" })));
    expect((await billings()).toSorted()).toEqual(["billed", ...Array<string>(19).fill("recheck_24h")]);
    expect(await charges()).toHaveLength(1);
    await predictBody({});
    await predictBody({ uuid: null });
    expect((await billings()).slice(-2)).toEqual(["billed", "billed"]);
  });
});

describe("response and ledger", () => {
  // Reads the store's file.
  it.runIf(!isOnPostgres)(
    onlyOn("SQLite", "commits concurrent screenings together before any of their responses"),
    async () => {
      // A separate connection sees committed rows only.
      const other = new Database(sqliteFileOf(server.context.db).name, { readonly: true });
      const counts = ["usg_predictions", "ledger"].map((table) =>
        other.prepare(`SELECT count(*) FROM ${table}`).pluck(),
      );
      const seen = await Promise.all(
        Array.from({ length: 8 }, async (_, cat) => {
          await server.predict({ ...examplePayload, uuid: `cat-${cat}` });
          return counts.map((count) => count.get());
        }),
      );
      other.close();
      expect(seen).toEqual(Array(8).fill([8, 8]));
    },
  );

  it("reverses the charge of a lost response, but keeps it if a recheck is delivered", async () => {
    const { context, screening, accountId, keyId } = server;
    const screened = (uuid: string) => screening.predict({ ...examplePayload, uuid });
    const record = (callId: string, uuid: string) => screening.record({ callId, accountId, keyId }, screened(uuid));
    await record("gone", "cat-1");
    await withdrawCharge(context, "gone");
    expect((await listLedgerEvents(context.db)).map(({ kind }) => kind).sort()).toEqual(["charge", "reversal"]);
    await record("first", "cat-2");
    await record("recheck", "cat-2");
    await withdrawCharge(context, "first");
    await confirmDelivery(context, "recheck");
    await withdrawLostCharges(context, { isStart: true });
    const standing = (await listLedgerEvents(context.db)).filter(({ uuid }) => uuid === "cat-2");
    expect(standing.map(({ kind, callId }) => [kind, callId])).toEqual([["charge", "first"]]);
  });

  it("does not confirm a charge by a recheck that was free before it", async () => {
    const { context, screening, accountId, keyId, clock } = server;
    const screened = screening.predict({ ...examplePayload, uuid: "cat-1" });
    const record = async (callId: string, hours: number) => {
      clock.at = new Date(clock.at.getTime() + hours * 3_600_000);
      await screening.record({ callId, accountId, keyId }, screened);
    };
    await record("first", 0);
    await confirmDelivery(context, "first");
    await record("recheck", 23);
    await record("next day", 2);
    await confirmDelivery(context, "recheck");
    expect((await listUndelivered(context.db)).map(({ callId }) => callId)).toEqual(["next day"]);
  });

  it("writes all screenings before shutdown", async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, cat) => server.predict({ ...examplePayload, uuid: `cat-${cat}` })),
    );
    await server.screening.close();
    expect([await rows(), (await charges()).length]).toEqual([10, 10]);
  });

  it("returns an unbilled prediction after a ledger fault, reports the fault, and bills the next call", async () => {
    const { db } = server.context;
    const mend = await refuseRows(db, "ledger", { message: "disk is full" });
    const status = await predictBody({ uuid: "cat-1" });
    await mend();
    await predictBody({ uuid: "cat-1" });
    expect({
      status,
      billings: await billings(),
      charges: (await charges()).length,
      codes: server.faults.map(({ code }) => code),
    }).toEqual({
      status: 200,
      billings: ["billing_error", "billed"],
      charges: 1,
      codes: ["LEDGER_NOT_WRITTEN"],
    });
    expect(server.faults[0]?.message).toContain("disk is full");
  });

  it("rolls back the charge of a screening that cannot be logged, and no other", async () => {
    const { db } = server.context;
    await refuseRows(db, "usg_predictions", { message: "no room", condition: "NEW.uuid = 'cat-1'" });
    await server.predict({ ...examplePayload, uuid: "cat-1" });
    await server.predict({ ...examplePayload, uuid: "cat-2" });
    expect([await rows(), (await charges()).map(({ uuid }) => uuid), server.faults.map(({ code }) => code)]).toEqual([
      1,
      ["cat-2"],
      ["LEDGER_NOT_WRITTEN"],
    ]);
  });

  it("logs no patient data", async () => {
    for (const table of ["screened_patients", "usg_predictions"]) await rawly(server.context.db, `DROP TABLE ${table}`);
    await predictBody({ uuid: "patient-7", clinic_code: "clinic-9" });
    expect(server.faults.length).toBe(1);
    expect([...server.logged, ...server.faults.map(({ message }) => message)].join()).not.toMatch(/patient-7|clinic-9/);
  });
});

it("counts outcomes by clinic code, month and tier", async () => {
  const cats = [
    { clinic_code: "K-1", at: "2026-10-31T23:59:59Z", sick: false },
    { clinic_code: "K-1", at: "2026-11-01T00:00:00Z", sick: false },
    { clinic_code: "K-1", at: "2026-11-02T00:00:00Z", sick: true },
    { clinic_code: "K-2", at: "2026-11-02T00:00:00Z", sick: true },
    { at: "2026-11-02T00:00:00Z", sick: true },
  ];
  for (const { at, sick, ...code } of cats) {
    server.clock.at = new Date(at);
    await predictBody({
      ...code,
      uuid: "cat",
      ...(sick
        ? { BUN: 120, CREATININE: 7, HGB: 8, age_months: 190 }
        : { BUN: 20, CREATININE: 1, HGB: 14, age_months: 24 }),
    });
  }
  const none = { low: 0, moderate_low: 0, moderate_high: 0, high: 0 };
  const all = [
    { clinicCode: "", month: "2026-11", total: 1, ...none, high: 1, billed: 0 },
    { clinicCode: "K-1", month: "2026-11", total: 2, ...none, low: 1, high: 1, billed: 1 },
    { clinicCode: "K-2", month: "2026-11", total: 1, ...none, high: 1, billed: 0 },
    { clinicCode: "K-1", month: "2026-10", total: 1, ...none, low: 1, billed: 1 },
  ];
  const { db } = server.context;
  expect(await summariseUsgPredictions(db)).toEqual(all);
  expect(await summariseUsgPredictions(db, { month: "2026-10" })).toEqual(all.slice(3));
  expect(await summariseUsgPredictions(db, { clinicCode: "" })).toEqual(all.slice(0, 1));
  expect(await summariseUsgPredictions(db, { accountId: "another" })).toEqual([]);
});

it("counts a screening with a reversed charge as not billed", async () => {
  const { context, screening, accountId, keyId } = server;
  for (const uuid of ["lost", "had"])
    await screening.record({ callId: uuid, accountId, keyId }, screening.predict({ ...examplePayload, uuid }));
  await withdrawCharge(context, "lost");
  expect((await summariseUsgPredictions(context.db)).map(({ total, billed }) => [total, billed])).toEqual([[2, 1]]);
});

describe("packs", () => {
  it("uses the selected pack, or another one if it is broken or missing, and reports the reason", async () => {
    const folder = folderForTest();
    writePack(path.join(folder, "vendor"), JSON.stringify(modelDocument([stump(0.5)])));
    const screening = await openUsgScreening(server.context, {
      packFolders: [programPacksDir, folder],
      wantedPack: "vendor",
    });
    expect([screening.model().modelVersion, screening.packs().map(({ name, state }) => [name, state])]).toEqual([
      "test-1",
      [
        ["vendor", "active"],
        ["usg-corvet", "available"],
      ],
    ]);
    mkdirSync(path.join(folder, "vendor"), { recursive: true });
    writePack(path.join(folder, "vendor"), "{");
    await screening.reload("vendor");
    rmSync(folder, { recursive: true });
    expect([
      screening.model().modelVersion,
      screening.packs().map(({ name, state }) => [name, state]),
      server.faults.map(({ code, message }) => [code, message]),
    ]).toEqual([
      "1.5a-corvet.1",
      [
        ["vendor", "refused"],
        ["usg-corvet", "active"],
      ],
      [
        [
          "PACK_REFUSED",
          "Screening pack vendor was chosen but is not used: model.json is not JSON. usg-corvet is used in its place",
        ],
      ],
    ]);
    const other = await openUsgScreening(server.context, { packFolders: [programPacksDir], wantedPack: "vendor" });
    expect([other.pack()?.name, server.faults.at(-1)]).toMatchObject([
      "usg-corvet",
      { code: "PACK_REFUSED", message: expect.stringContaining("it is not in the pack folders. usg-corvet is used") },
    ]);
  });

  it("stores model and releasing person with each screening", async () => {
    const { context, accountId, keyId } = server;
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const pem = { privateKey: privateKey.export({ type: "pkcs8", format: "pem" }) as string };
    const key = readPublicKey(publicKey.export({ type: "spki", format: "pem" }) as string);
    await saveSetting(context.db, publishersSetting, [{ name: "Vendor", publicKey: key, addedAt: "" }]);
    const folder = folderForTest();
    const decoding = { thresholdImpaired: 0.5, sgCutoff: 1.03 };
    const pack = path.join(folder, "vendor");
    writePack(pack, JSON.stringify(modelDocument([stump(0.5)])), { clinicallyValidated: true, decoding });
    signPackFolder(pack, pem.privateKey, {
      publisher: "V",
      releasedBy: "Dr. Jane Doe",
      signedAt: "2026-11-22T03:00:00Z",
    });
    const screening = await openUsgScreening(context, { packFolders: [programPacksDir, folder], wantedPack: "vendor" });
    await screening.record(
      { callId: "released", accountId, keyId },
      screening.predict({ ...examplePayload, uuid: "c" }),
    );
    server.clock.at = new Date(server.clock.at.getTime() + 1000);
    await predictBody({ uuid: "c" });
    const release = { publisher: "Vendor", fingerprint: fingerprintOf(key), releasedBy: "Dr. Jane Doe" };
    expect(describeModel(screening)).toEqual({ isLoaded: true, modelVersion: "test-1", sgCutoff: 1.03, release });
    const kept = await listUsgPredictions(context.db, { patientId: null, uuids: ["c"] }, { limit: 10, offset: 0 });
    expect(kept.map((row) => [row.result.model_version, row.thresholdImpaired, row.release])).toEqual([
      ["1.5a-corvet.1", 0.3496, null],
      ["test-1", 0.5, release],
    ]);
  });

  it("ignores a pack's own claim of clinical validation", async () => {
    const folder = folderForTest();
    writePack(path.join(folder, "vendor"), JSON.stringify(modelDocument([stump(0.5)])), { clinicallyValidated: true });
    const modelOf = async (wantedPack: string) =>
      describeModel(await openUsgScreening(server.context, { packFolders: [programPacksDir, folder], wantedPack }));
    const [own, vendors] = [await modelOf("usg-corvet"), await modelOf("vendor")];
    expect([own.release, vendors]).toEqual([
      null,
      { isLoaded: true, modelVersion: "test-1", sgCutoff: 1.035, release: null },
    ]);
  });
});
