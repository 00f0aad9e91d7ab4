import Sqlite from "better-sqlite3";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import {
  recordAnsweredCall,
  settlePendingDeliveries,
  withdrawLostCharges,
} from "../../../main/services/calls/delivery.ts";
import { listLedgerEvents } from "../../../main/store/ledger/ledger-reports.ts";
import { sqliteFileOf, transaction } from "../../../main/store/engines/engine.ts";
import { meteredCall, temporaryStore } from "../store/sample-store.ts";
import { plainImage } from "./service/sample-images.ts";
import { openScriptedService, type ScriptedService } from "./service/scripted-service.ts";

// SQLite only; the equivalent for PostgreSQL is in database-away.slow.test.ts.
describe("a service whose database file is locked by another program", () => {
  let service: ScriptedService;
  let other: Sqlite.Database;
  let image: string;
  beforeAll(async () => {
    image = await plainImage();
  });
  const open = async ({ busyMs = 50 } = {}) => {
    service = await openScriptedService({ store: await temporaryStore({ busyMs }) });
    other = new Sqlite(sqliteFileOf(service.context.db).name);
  };
  afterEach(async () => {
    other.close();
    await service.close();
  });

  const predict = async (uuid: string) => (await service.post("/v3/predict", { image, uuid })).body["billing"];
  const unbilled = expect.objectContaining({ billable: false, reason: "billing_error" }) as unknown;
  const billed = expect.objectContaining({ billable: true, reason: "valid_vhs" }) as unknown;

  it("waits without blocking the event loop, and charges", async () => {
    await open({ busyMs: 5000 });
    other.exec("BEGIN IMMEDIATE");
    const answer = predict("waiting");
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
      if (turns === 10) other.exec("COMMIT");
    }, 5);
    expect(await answer).toEqual(billed);
    clearInterval(counting);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it("responds without a charge during a long lock, waits only once, and then charges again", async () => {
    // Later requests wait 200 ms for each of their statements.
    const busyMs = 2000;
    await open({ busyMs });
    other.exec("BEGIN IMMEDIATE");
    const times: number[] = [];
    for (const uuid of ["first", "second", "third"]) {
      const start = performance.now();
      expect(await predict(uuid)).toEqual(unbilled);
      times.push(performance.now() - start);
    }
    const [first, ...later] = times;
    expect(first).toBeGreaterThanOrEqual(busyMs);
    // The fastest one, since a busy computer may delay any of them.
    expect(Math.min(...later)).toBeLessThan(busyMs);
    expect((await service.call("GET", "/v3/health")).status).toBe(200);
    expect(service.faults.map(({ code }) => code)).toContain("LEDGER_NOT_WRITTEN");
    await settlePendingDeliveries(service.context);
    other.exec("COMMIT");
    await settlePendingDeliveries(service.context);
    expect(await predict("after")).toEqual(billed);
  });

  it("reverses undelivered charges of the last run even if the file is locked at start", async () => {
    await open();
    const { context, accountId, clock } = service;
    const call = meteredCall({ accountId, uuid: "left", at: clock.at });
    await recordAnsweredCall(context, { ...call, callId: "left", answerUntil: null });
    other.exec("BEGIN IMMEDIATE");
    await withdrawLostCharges(context, { isStart: true });
    other.exec("COMMIT");
    await settlePendingDeliveries(context);
    const kinds = (await listLedgerEvents(context.db)).map(({ kind }) => kind);
    expect(kinds).toEqual(["reversal", "charge"]);
  });

  it("writes nothing for calls that are refused before they are charged", async () => {
    await open();
    const { app, script } = service;
    const waiting: number[] = [];
    const send = async (path: string, body: object) => {
      const { status } = await service.post(path, body);
      waiting.push(app.settling.size);
      return status;
    };
    other.exec("BEGIN IMMEDIATE");
    script.measure = async () => {
      throw new AppError("BUSY");
    };
    expect([
      await send("/v3/predict", { image }),
      await send("/v3/preprocess", { image }),
      await send("/v3/pop-session", { image, session_id: "none" }),
    ]).toEqual([429, 422, 404]);
    expect(waiting).toEqual([0, 0, 0]);
    other.exec("COMMIT");
  });

  it("completes a capture session with its result, without a charge", async () => {
    await open();
    const { body } = await service.post("/v3/pop-session/start", {});
    const send = async () => await service.post("/v3/pop-session", { image, session_id: body["session_id"] });
    await send();
    await send();
    other.exec("BEGIN IMMEDIATE");
    expect(await send()).toMatchObject({ status: 200, body: { session_status: "complete", billing: unbilled } });
    other.exec("COMMIT");
    expect((await send()).body).toMatchObject({ session_status: "complete", billing: { billable: true } });
  });

  it("rejects a write with STORE_BUSY and stores nothing", async () => {
    await open();
    const { db } = service.context;
    other.exec("BEGIN IMMEDIATE");
    const note = transaction(db, async () => {
      await db.insertInto("settings").values({ key: "one", value: "{}" }).execute();
    });
    await expect(note).rejects.toMatchObject({ code: "STORE_BUSY" });
    other.exec("COMMIT");
    expect(await db.selectFrom("settings").select("key").where("key", "=", "one").execute()).toEqual([]);
  });
});
