import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { programPacksDir } from "../../../../main/program.ts";
import { confirmDelivery, withdrawCharge, withdrawLostCharges } from "../../../../main/services/calls/delivery.ts";
import { openUsgScreening } from "../../../../main/services/calls/screen-usg.ts";
import { describeModel } from "../../../../main/services/program/usg-desk.ts";
import { listLedgerEvents } from "../../../../main/store/ledger/ledger-reports.ts";
import { listUsgPredictions, summariseUsgPredictions } from "../../../../main/store/usg-predictions.ts";
import { examplePayload } from "../../../core/usg/example-payload.ts";
import { modelDocument, stump } from "../../../core/usg/random-model.ts";
import { openUsgServer, writePack, type UsgServer } from "../../server/service/usg-server.ts";

let server: UsgServer;
beforeEach(async () => {
  server = await openUsgServer();
});
afterEach(() => server.close());

const charges = () =>
  listLedgerEvents(server.context.db).map(({ service, ordinal, amountCents, uuid }) => ({
    service,
    ordinal,
    amountCents,
    uuid,
  }));
const billings = () => server.context.db.prepare("SELECT billing FROM usg_predictions ORDER BY rowid").pluck().all();
const rows = () => server.context.db.prepare("SELECT count(*) FROM usg_predictions").pluck().get();

async function predictBody(body: object): Promise<number> {
  const { statusCode } = await server.predict({ ...examplePayload, ...body });
  return statusCode;
}

describe("metering", () => {
  it("logs what was scored and counts the call in the combined volume, without a price", async () => {
    await predictBody({ CREATININE: 176.8, clinic_code: "K-7", uuid: "cat-1" });
    const { accountId } = server;
    const row = server.context.db
      .prepare(
        "SELECT key_id, uuid, clinic_code, at_ms, bun_mg_per_dl, creatinine_mg_per_dl, risk_tier, pack_name, model_version, billing FROM usg_predictions",
      )
      .get();
    const [kept] = listUsgPredictions(server.context.db, { accountId, uuid: "cat-1" });
    expect({ row, charges: charges(), tier: kept?.result.risk_tier }).toEqual({
      row: {
        key_id: server.keyId,
        uuid: "cat-1",
        clinic_code: "K-7",
        at_ms: server.clock.now.getTime(),
        bun_mg_per_dl: 28,
        creatinine_mg_per_dl: 2,
        risk_tier: kept?.result.risk_tier,
        pack_name: "usg-corvet",
        model_version: "1.5a-corvet.1",
        billing: "billed",
      },
      charges: [{ service: "usg", ordinal: 1, amountCents: null, uuid: "cat-1" }],
      tier: kept?.result.risk_tier,
    });
  });

  it("is free for the same patient within 24 hours of the billed call, and runs all the same", async () => {
    const startMs = server.clock.now.getTime();
    const hours = [0, 12, 23.999, 24, 30];
    for (const hour of hours) {
      server.clock.now = new Date(startMs + hour * 3_600_000);
      expect(await predictBody({ uuid: "cat-1" })).toBe(200);
    }
    expect([billings(), charges().length]).toEqual([
      ["billed", "recheck_24h", "recheck_24h", "billed", "recheck_24h"],
      2,
    ]);
  });

  it("knows no recheck without a uuid", async () => {
    await predictBody({});
    await predictBody({ uuid: null });
    expect(billings()).toEqual(["billed", "billed"]);
  });

  it("bills one of many calls for one patient at the same moment", async () => {
    await Promise.all(Array.from({ length: 20 }, () => server.predict({ ...examplePayload, uuid: "cat-1" })));
    expect([rows(), charges().length]).toEqual([20, 1]);
  });

  it("leaves no trace of a refused request", async () => {
    await predictBody({ HGB: "abc" });
    await predictBody({ HGB: 500 });
    expect([rows(), charges()]).toEqual([0, []]);
  });
});

describe("the answer and the ledger", () => {
  it("is on disk when the answer leaves, with one wait for all of a moment", async () => {
    const { db } = server.context;
    let commits = 0;
    const seen: unknown[] = [];
    db.function("count_commit", () => void (commits += 1));
    db.exec("CREATE TEMP TRIGGER seen AFTER INSERT ON usg_predictions BEGIN SELECT count_commit(); END");
    await Promise.all(
      Array.from({ length: 8 }, async (_, cat) => {
        await server.predict({ ...examplePayload, uuid: `cat-${cat}` });
        seen.push(db.inTransaction ? "open" : [rows(), charges().length]);
      }),
    );
    expect([seen, commits]).toEqual([Array(8).fill([8, 8]), 8]);
  });

  it("is taken back when the client has gone before its answer, and paid by a recheck that arrives", async () => {
    const { context, screening, accountId, keyId } = server;
    const screened = (uuid: string) => screening.predict({ ...examplePayload, uuid });
    const record = (callId: string, uuid: string) => screening.record({ callId, accountId, keyId }, screened(uuid));
    await record("gone", "cat-1");
    withdrawCharge(context, "gone");
    expect(
      listLedgerEvents(context.db)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(["charge", "reversal"]);
    await record("first", "cat-2");
    await record("recheck", "cat-2");
    withdrawCharge(context, "first");
    confirmDelivery(context, "recheck");
    withdrawLostCharges(context, { isStart: true });
    const standing = listLedgerEvents(context.db).filter(({ uuid }) => uuid === "cat-2");
    expect(standing.map(({ kind, callId }) => [kind, callId])).toEqual([["charge", "first"]]);
  });

  it("loses nothing at shutdown", async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, cat) => server.predict({ ...examplePayload, uuid: `cat-${cat}` })),
    );
    server.screening.close();
    expect([rows(), charges().length]).toEqual([10, 10]);
  });

  it("a ledger fault: prediction returned and kept as unbilled, the fault reported, the next call billed again", async () => {
    const { db } = server.context;
    db.exec("CREATE TRIGGER broken BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
    const status = await predictBody({ uuid: "cat-1" });
    db.exec("DROP TRIGGER broken");
    await predictBody({ uuid: "cat-1" });
    expect({
      status,
      billings: billings(),
      charges: charges().length,
      codes: server.faults.map(({ code }) => code),
    }).toEqual({
      status: 200,
      billings: ["billing_error", "billed"],
      charges: 1,
      codes: ["LEDGER_NOT_WRITTEN"],
    });
    expect(server.faults[0]?.message).toContain("disk is full");
  });

  it("a log fault takes its charge back, and only its own", async () => {
    const { db } = server.context;
    db.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON usg_predictions WHEN NEW.uuid = 'cat-1' BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    await server.predict({ ...examplePayload, uuid: "cat-1" });
    await server.predict({ ...examplePayload, uuid: "cat-2" });
    expect([rows(), charges().map(({ uuid }) => uuid), server.faults.map(({ code }) => code)]).toEqual([
      1,
      ["cat-2"],
      ["LEDGER_NOT_WRITTEN"],
    ]);
  });

  it("says nothing about the patient in the log", async () => {
    server.context.db.exec("DROP TABLE usg_predictions");
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
    server.clock.now = new Date(at);
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
  expect(summariseUsgPredictions(db)).toEqual(all);
  expect(summariseUsgPredictions(db, { month: "2026-10" })).toEqual(all.slice(3));
  expect(summariseUsgPredictions(db, { clinicCode: "" })).toEqual(all.slice(0, 1));
  expect(summariseUsgPredictions(db, { accountId: "another" })).toEqual([]);
});

describe("packs", () => {
  it("uses the pack that was asked for, keeps it when a later one is broken, and says why", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "corvet-packs-"));
    writePack(path.join(folder, "vendor"), JSON.stringify(modelDocument([stump(0.5)])));
    const screening = openUsgScreening(server.context, {
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
    screening.reload("vendor");
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
          "Screening pack vendor was chosen and is not used: model.json is not JSON. usg-corvet is used in its place",
        ],
      ],
    ]);
  });

  it("says so when the chosen pack is gone and another takes its place", () => {
    const screening = openUsgScreening(server.context, { packFolders: [programPacksDir], wantedPack: "vendor" });
    expect([screening.pack()?.name, server.faults.map(({ code, message }) => [code, message])]).toEqual([
      "usg-corvet",
      [
        [
          "PACK_REFUSED",
          "Screening pack vendor was chosen and is not used: it is not in the pack folders. usg-corvet is used in its place",
        ],
      ],
    ]);
  });

  it("does not take a pack's own word on validation", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "corvet-packs-"));
    writePack(path.join(folder, "vendor"), JSON.stringify(modelDocument([stump(0.5)])), { clinicallyValidated: true });
    const [own, vendors] = ["usg-corvet", "vendor"].map((wantedPack) =>
      describeModel(openUsgScreening(server.context, { packFolders: [programPacksDir, folder], wantedPack })),
    );
    rmSync(folder, { recursive: true });
    expect([own?.isClinicallyValidated, vendors]).toEqual([
      false,
      { isLoaded: true, modelVersion: "test-1", thresholdImpaired: 0.3496, isClinicallyValidated: false },
    ]);
  });
});
