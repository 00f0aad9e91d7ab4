import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  confirmDelivery,
  recordAnsweredCall,
  settlePendingDeliveries,
  withdrawLostCharges,
} from "../../../main/services/calls/delivery.ts";
import { createKey } from "../../../main/services/calls/keys.ts";
import { programPacksDir } from "../../../main/program.ts";
import { openUsgScreening } from "../../../main/services/calls/screen-usg.ts";
import { beginWriting } from "../../../main/store/engines/postgres/postgres-connection.ts";
import { openPostgresStore } from "../../../main/store/engines/postgres/open-postgres-store.ts";
import { postgresTimeouts, type PostgresTimeouts } from "../../../main/store/engines/postgres/postgres-timeouts.ts";
import { iterateLedger } from "../../../main/store/ledger/ledger-reports.ts";
import { verifyLedger } from "../../fixtures/verify-ledger.ts";
import { clocksApartMs } from "../../../core/billing/recheck.ts";
import { listUndelivered } from "../../../main/store/ledger/undelivered-charges.ts";
import { recordMachineActive } from "../../../main/store/machines/machines.ts";
import { startCluster, type Cluster } from "../../fixtures/postgres/cluster.ts";
import { faultyNetwork, type FaultyNetwork } from "../../fixtures/postgres/faulty-network.ts";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { freePort } from "../dicom/network/dcmtk.ts";
import { examplePayload } from "../../core/usg/example-payload.ts";
import { meteredCall, temporaryDataDir } from "../store/sample-store.ts";
import { plainImage } from "./service/sample-images.ts";
import { openScriptedService, type ScriptedService } from "./service/scripted-service.ts";
import { waitUntil } from "../../fixtures/patience.ts";

/** Shorter than the program's; each connection is checked before it is used. */
const timeouts: PostgresTimeouts = {
  ...postgresTimeouts,
  connectMs: 2000,
  quietMs: 0,
  checkMs: 1000,
  closedMs: 200,
  watchAfterMs: 1000,
  watchEveryMs: 1000,
  watchTimeoutMs: 1500,
};
/** Timeout of a query without a response, which none of the tests reaches [ms]. */
const queryTimeoutMs = 35_000;
const emptyStore = "empty_store";

describe.runIf(hasPostgres)("a service with database faults", () => {
  let cluster: Cluster;
  let network: FaultyNetwork;
  let service: ScriptedService;
  let url: string;
  let image: string;
  let port: number;
  let databases = 0;
  const urlOf = (database: string, at = network.port) =>
    `postgres://postgres:${cluster.password}@127.0.0.1:${at}/${database}`;
  const ask = async (statement: string) => {
    const client = new Client(urlOf("postgres", port));
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  beforeAll(async () => {
    image = await plainImage();
    port = await freePort();
    cluster = await startCluster({ port });
    network = await faultyNetwork(port);
    await ask(`CREATE DATABASE ${emptyStore}`);
    await (await openPostgresStore(urlOf(emptyStore, port))).destroy();
  });
  afterAll(async () => {
    await network.close();
    await cluster.remove();
  });
  beforeEach(async () => {
    const database = `test_${(databases += 1)}`;
    await ask(`CREATE DATABASE ${database} TEMPLATE ${emptyStore}`);
    url = urlOf(database);
    const db = await openPostgresStore(url, { machineId: "own", timeouts });
    await recordMachineActive(db, { name: "Reception", programVersion: "1.0.0" });
    const { dataDir, remove } = temporaryDataDir();
    const store = { db, dataDir, remove: () => db.destroy().then(remove) };
    service = await openScriptedService({ store });
    service.clock.at = new Date();
  });
  afterEach(() => service.close());

  const predict = async (uuid: string, headers = {}) => {
    const { status, body } = await service.post("/v3/predict", { image, uuid }, headers);
    return { status, body, billing: body["billing"] };
  };
  const rowsOf = async (patient: string) =>
    (await Array.fromAsync(iterateLedger(service.context.db))).filter(({ uuid }) => uuid === patient);
  const kindsOf = async (patient: string) => (await rowsOf(patient)).map(({ kind }) => kind);
  const isBilled = (billing: unknown) => (billing as { readonly billable?: boolean } | undefined)?.billable === true;
  const waitingForLock = async (client: Client) =>
    (await client.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rows.length;
  const billed = expect.objectContaining({ billable: true, reason: "valid_vhs" });
  const refused = { status: 503, body: { error: "The store cannot be opened" } };
  const unbilled = expect.objectContaining({ billable: false, reason: "billing_error" });

  it("measures for known callers without a charge while the database is unavailable, then charges again", async () => {
    expect((await predict("before")).billing).toEqual(billed);
    await cluster.stop("kindly");
    try {
      const away = await predict("away");
      expect(away).toMatchObject({ status: 200, body: { vhs: 10.12, historic_vhs: null }, billing: unbilled });
      const { body } = await service.post("/v3/predict", { images: [image], uuid: "away" });
      expect(body).toMatchObject({ best_vhs: 10.12, historic_vhs: [], billing: unbilled });
      expect(service.faults.map(({ code }) => code)).toContain("LEDGER_NOT_WRITTEN");
      expect(await predict("away", { "x-api-key": service.foreignKey })).toMatchObject(refused);
      expect(await service.post("/v3/pop-session/start", {})).toMatchObject(refused);
    } finally {
      await cluster.start();
    }
    expect((await predict("after")).billing).toEqual(billed);
    expect(await Promise.all(["before", "away", "after"].map(kindsOf))).toEqual([["charge"], [], ["charge"]]);
  });

  it("responds before a query times out when the network drops packets, and recovers", async () => {
    expect((await predict("seen")).billing).toEqual(billed);
    network.stall();
    const startMs = performance.now();
    try {
      expect(await predict("dropped")).toMatchObject({ status: 200, billing: unbilled });
      expect(performance.now() - startMs).toBeLessThan(queryTimeoutMs);
    } finally {
      network.flow();
    }
    await waitUntil(async () => (await predict("again")).billing?.["reason" as never] !== "billing_error");
    expect([await kindsOf("dropped"), await kindsOf("again")]).toEqual([[], ["charge"]]);
  });

  it("responds before a query times out when the network fails during a query", async () => {
    expect((await predict("asked")).billing).toEqual(billed);
    const other = new Client(url.replace(String(network.port), String(port)));
    await other.connect();
    try {
      // Another client holds the write lock, so that the query is in progress when the network fails.
      await other.query(beginWriting);
      const answer = predict("interrupted");
      await waitUntil(async () => (await waitingForLock(other)) > 0);
      network.stall();
      const startMs = performance.now();
      expect(await answer).toMatchObject({ status: 200, billing: unbilled });
      expect(performance.now() - startMs).toBeLessThan(queryTimeoutMs);
    } finally {
      network.flow();
      await other.end();
    }
    await waitUntil(async () => (await predict("heard")).billing?.["reason" as never] !== "billing_error");
    await settlePendingDeliveries(service.context);
    expect((await kindsOf("interrupted")).filter((kind) => kind === "charge").length).toBe(
      (await kindsOf("interrupted")).filter((kind) => kind === "reversal").length,
    );
    expect(await kindsOf("heard")).toEqual(["charge"]);
  });

  it("waits for a query longer than it is checked", async () => {
    await expect(sql`SELECT pg_sleep(2.5)`.execute(service.context.db)).resolves.toMatchObject({ rows: [{}] });
  });

  it("charges over new connections after a reset, and never twice", async () => {
    expect((await predict("first")).billing).toEqual(billed);
    network.reset();
    expect((await predict("second")).billing).toEqual(billed);
    const asked = Array.from({ length: 6 }, (_, at) => predict(`reset ${at}`));
    network.reset();
    const answers = await Promise.all(asked);
    await waitUntil(async () => {
      await settlePendingDeliveries(service.context);
      const standing = await Promise.all(
        answers.map(async (_, at) => {
          const kinds = await kindsOf(`reset ${at}`);
          return kinds.filter((kind) => kind === "charge").length - kinds.filter((kind) => kind === "reversal").length;
        }),
      );
      return answers.every(({ billing }, at) => standing[at] === (isBilled(billing) ? 1 : 0));
    });
    expect(await verifyLedger(service.context.db)).toMatchObject({ isIntact: true });
  });

  it("reverses a charge whose commit gets no response, without waiting for the time limit", async () => {
    expect((await predict("heard of")).billing).toEqual(billed);
    network.loseAnswerToCommit('insert into "ledger"', "silence");
    const startMs = performance.now();
    expect((await predict("silent")).billing).toEqual(unbilled);
    expect(performance.now() - startMs).toBeLessThan(queryTimeoutMs);
    await waitUntil(async () => (await rowsOf("silent")).length === 2);
    expect(await kindsOf("silent")).toEqual(["charge", "reversal"]);
  });

  it("reverses a charge whose commit response was lost, since its caller was told it is free", async () => {
    expect((await predict("known")).billing).toEqual(billed);
    network.loseAnswerToCommit('insert into "ledger"');
    expect((await predict("unsure")).billing).toEqual(unbilled);
    await waitUntil(async () => (await rowsOf("unsure")).length === 2);
    expect(await kindsOf("unsure")).toEqual(["charge", "reversal"]);
    expect(await verifyLedger(service.context.db)).toMatchObject({ isIntact: true });
  });

  it("reverses the charges of several screenings whose common commit response was lost", async () => {
    const { context, clock } = service;
    const { keyId, accountId } = await createKey(context.db, { accountName: "Clinic", name: "USG", at: clock.at });
    const screening = await openUsgScreening(context, { packFolders: [programPacksDir], wantedPack: null });
    const callIds = ["screened-1", "screened-2"];
    const record = (callId: string) =>
      screening.record({ callId, accountId, keyId }, screening.predict({ ...examplePayload, uuid: callId }));
    network.loseAnswerToCommit('insert into "ledger"');
    await Promise.all(callIds.map(record));
    await Promise.all(callIds.map((callId) => confirmDelivery(context, callId)));
    const kinds = () => Promise.all(callIds.map(kindsOf));
    await waitUntil(async () => (await kinds()).every(({ length }) => length === 2));
    expect(await kinds()).toEqual([
      ["charge", "reversal"],
      ["charge", "reversal"],
    ]);
  });

  it("records a delivery later if the database was unavailable, and keeps the charge", async () => {
    const { context, accountId } = service;
    const call = { ...meteredCall({ accountId, uuid: "late", at: service.clock.at }), answerUntil: null };
    await recordAnsweredCall(context, { ...call, callId: "told-late" });
    await cluster.stop("kindly");
    try {
      await confirmDelivery(context, "told-late");
    } finally {
      await cluster.start();
    }
    expect(await listUndelivered(context.db)).toMatchObject([{ callId: "told-late" }]);
    await settlePendingDeliveries(context);
    expect([await listUndelivered(context.db), await withdrawLostCharges(context, { isStart: true })]).toEqual([[], 0]);
    expect(await kindsOf("late")).toEqual(["charge"]);
  });

  it("keeps a confirmed delivery and its charge after a crash of the database", async () => {
    const { context, accountId } = service;
    const call = { ...meteredCall({ accountId, uuid: "forgotten", at: service.clock.at }), answerUntil: null };
    await recordAnsweredCall(context, { ...call, callId: "told-before-crash" });
    await confirmDelivery(context, "told-before-crash");
    await cluster.stop("at once");
    await cluster.start();
    expect([await listUndelivered(context.db), await withdrawLostCharges(context, { isStart: true })]).toEqual([[], 0]);
    expect(await kindsOf("forgotten")).toEqual(["charge"]);
  });

  it("reverses a charge of a lost workstation, unless it made another workstation's response free", async () => {
    const { context, accountId } = service;
    const db = await openPostgresStore(url, { machineId: "gone" });
    const call = (uuid: string) => ({ ...meteredCall({ accountId, uuid, at: service.clock.at }), answerUntil: null });
    await recordAnsweredCall({ ...context, db }, { ...call("asked again"), callId: "lost-1" });
    await recordAnsweredCall({ ...context, db }, { ...call("not again"), callId: "lost-2" });
    await db.destroy();
    const again = await recordAnsweredCall(context, { ...call("asked again"), callId: "again" });
    await withdrawLostCharges(context, { isStart: false });
    expect([again.reason, await kindsOf("asked again"), await kindsOf("not again")]).toEqual([
      "recheck_24h",
      ["charge"],
      ["charge", "reversal"],
    ]);
    await confirmDelivery(context, "again");
    expect(await listUndelivered(context.db)).toEqual([]);
  });

  it("charges while the clock is slightly behind the last row, but not while it is far behind", async () => {
    expect((await predict("last row")).billing).toEqual(billed);
    const atMs = service.clock.at.getTime();
    service.clock.at = new Date(atMs - clocksApartMs);
    expect((await predict("behind")).billing).toEqual(billed);
    service.clock.at = new Date(atMs - 3 * clocksApartMs);
    expect((await predict("far behind")).billing).toEqual(unbilled);
  });
});
