// Runs once: opens PostgreSQL or both engines directly.
import { existsSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DatabaseAddress } from "../../../../../core/contract/desktop/practice/database.ts";
import { listAuditEvents } from "../../../../../main/store/audit/audit-events.ts";
import { readPostgresAddress } from "../../../../../main/store/engines/postgres/postgres-address.ts";
import { recordMachineActive } from "../../../../../main/store/machines/machines.ts";
import { openBench, type DesktopBench } from "../../../../fixtures/desktop-bench.ts";
import { hasPostgres } from "../../../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../../../fixtures/postgres/temporary-database.ts";
import {
  chooseDatabase,
  chosenDatabase,
  databaseOf,
  openStoreOf,
} from "../../../../../main/services/program/store-location.ts";
import { tryDatabase } from "../../../../../main/services/program/sharing/try-database.ts";
import { waitUntil } from "../../../../fixtures/patience.ts";

const testId = "00000000-0000-4000-8000-000000000001";
const nowhere: DatabaseAddress = {
  host: "127.0.0.1",
  port: 1,
  database: "practice",
  user: "vet",
  password: "pass word/%41@",
  authorityFile: "",
};

let bench: DesktopBench;
beforeEach(async () => {
  vi.stubEnv("CORVET_DATABASE_URL", "");
  bench = await openBench();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await bench.remove();
});
const test = (address: DatabaseAddress) => bench.call("database.test", { testId, address });
const audited = async () =>
  (await listAuditEvents(bench.context.db, { actions: ["database.chosen"], limit: 9, offset: 0 })).rows;

function fieldsOf(url: string): DatabaseAddress {
  const { host, port, database, user = "", password = "" } = readPostgresAddress(url);
  return { host, port, database, user, password, authorityFile: "" };
}

describe("a practice with a file store", () => {
  it("gets the path of its store and no other workstations", async () => {
    expect(await bench.call("database.get", {})).toEqual({
      place: null,
      file: path.join(bench.dataDir, "corvet.db"),
      namedBy: null,
      next: null,
      isSealed: false,
      canRestart: false,
      machines: [],
    });
    expect((await bench.call("app.about", {})).database).toBeNull();
  });

  it("gets the reason why a database cannot be used, without the password", async () => {
    const refused = await test(nowhere);
    expect(refused).toMatchObject({ outcome: "refused", isUsable: false, present: "none" });
    expect(refused.place).toBe("postgres://127.0.0.1:1/practice");
    expect(JSON.stringify(refused)).not.toContain("pass");
    expect(await test({ ...nowhere, host: "no-such-computer.invalid" })).toMatchObject({ outcome: "hostUnknown" });
    expect(await test({ ...nowhere, authorityFile: "/no/such/file.pem" })).toMatchObject({
      outcome: "certificateFile",
    });
  });

  it("rejects an unusable database and stores nothing", async () => {
    const { tested } = await bench.call("database.choose", { address: nowhere });
    const state = await bench.call("database.get", {});
    expect([tested?.outcome, state.next, chosenDatabase(bench.dataDir)]).toEqual(["refused", null, null]);
    expect(await audited()).toEqual([]);
    expect(existsSync(path.join(bench.dataDir, "secrets.json"))).toBe(false);
  });

  it("waits for an unresponsive server until a time limit or cancelled", async () => {
    let connections = 0;
    const silent = createServer(() => void (connections += 1)).listen(0, "127.0.0.1");
    try {
      await expect.poll(() => silent.listening).toBe(true);
      const address = { ...nowhere, port: (silent.address() as AddressInfo).port };
      const cancelled = bench.desktop.call("database.test", { testId, address }, "window");
      await waitUntil(() => connections === 1);
      await bench.call("jobs.cancel", { jobId: testId });
      expect(await cancelled).toMatchObject({ ok: false, code: "ABORTED" });
      const limited = tryDatabase(bench.context, address, new AbortController().signal, 100);
      expect(await limited).toMatchObject({ outcome: "noAnswer", detail: "0.1 s" });
    } finally {
      silent.close();
    }
  });

  it("is not restarted if that is impossible", async () => {
    expect(await bench.desktop.call("database.restart", {}, "window")).toMatchObject({ code: "NOT_AVAILABLE" });
  });
});

describe.runIf(hasPostgres)("a database for the practice", () => {
  let database: TemporaryDatabase;
  const made = async (hasStore: boolean) => {
    database = await temporaryDatabase({ hasStore });
    return fieldsOf(database.url);
  };
  afterEach(() => database.remove());
  const run = async (sql: string) => {
    const client = new Client({ ...readPostgresAddress(database.url) });
    await client.connect();
    await client.query(sql);
    await client.end();
  };

  it("can be used if it is empty; existing data must be copied with the returned command", async () => {
    const address = await made(false);
    expect(await test(address)).toMatchObject({ outcome: "empty", isUsable: true, present: "none" });
    await bench.addPatient();
    const tested = await test({ ...address, password: "secret" });
    expect(tested).toMatchObject({ outcome: "empty", present: "copy" });
    expect(tested.copyCommand).toContain(`copy --from "${bench.dataDir}" --to "postgres://postgres@`);
    expect(tested.copyCommand).not.toContain("secret");
    expect(readPostgresAddress(/--to "(.*)"/.exec(tested.copyCommand)![1]!).database).toBe(address.database);
  });

  it("can be used if it has a practice's data; the data of the file are not copied", async () => {
    const address = await made(true);
    await bench.addPatient();
    expect(await test(address)).toMatchObject({ outcome: "ours", present: "stays" });
  });

  it.each([
    ["others", "CREATE TABLE bookings (at int)", false],
    ["newer", "INSERT INTO migrations VALUES ('9999-later.sql', 'x', 1)", true],
    ["older", "DELETE FROM migrations", true],
    ["unfinishedCopy", "CREATE TABLE unfinished_copy (x int)", true],
  ])("is recognised as %s", async (outcome, sql, hasStore) => {
    const address = await made(hasStore);
    await run(sql);
    expect((await test(address)).outcome).toBe(outcome);
  });

  it("is checked with the rights of the database user", async () => {
    const address = await made(true);
    const role = `reader_${address.database}`;
    await run(`CREATE ROLE ${role} LOGIN`);
    try {
      const reader = { ...address, user: role };
      await run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
      expect((await test(reader)).outcome).toBe("noRights");
      await run("DELETE FROM migrations");
      expect((await test(reader)).outcome).toBe("needsOwner");
      expect((await test({ ...reader, database: "nothing" })).outcome).toBe("noDatabase");
      expect((await test({ ...reader, user: "nobody_at_all" })).outcome).toBe("notAdmitted");
    } finally {
      await run(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  it("is used from the next start, which is audited; its password is in no page, log or record", async () => {
    const address = { ...(await made(true)), password: "geheim-4711" };
    const { tested } = await bench.call("database.choose", { address });
    const state = await bench.call("database.get", {});
    const { place } = readPostgresAddress(database.url);
    expect(tested?.isUsable).toBe(true);
    expect(state).toMatchObject({ place: null, next: { database: place } });
    expect(databaseOf(bench.dataDir)).toContain("geheim-4711");
    expect((await audited()).map(({ subject }) => subject)).toEqual([place]);
    expect(JSON.stringify([tested, state, await audited(), bench.logged])).not.toContain("geheim");
    expect(readFileSync(path.join(bench.dataDir, "database.json"), "utf8")).not.toContain("geheim");
    await bench.call("database.choose", { address: null });
    expect([(await bench.call("database.get", {})).next, databaseOf(bench.dataDir)]).toEqual([null, null]);
  });

  it("can be selected again with its password after another store was chosen", async () => {
    await made(true);
    const { dataDir } = bench;
    const url = database.url.replace("postgres@", "postgres:geheim-4711@");
    const { place } = readPostgresAddress(url);
    chooseDatabase(dataDir, url, null);
    await bench.close();
    bench = await openBench({ dataDir, db: await openStoreOf(dataDir) });
    await bench.call("database.choose", { address: null });
    const state = await bench.call("database.get", {});
    expect([state.place, state.next, databaseOf(dataDir)]).toEqual([place, { database: null, test: null }, null]);
    const { tested } = await bench.call("database.choose", { address: "present" });
    const back = await bench.call("database.get", {});
    expect([tested, back.next, databaseOf(dataDir)]).toEqual([null, null, url]);
    expect((await audited()).map(({ subject }) => subject)).toEqual([place, "corvet.db"]);
    expect(JSON.stringify([back, await audited(), bench.logged])).not.toContain("geheim");
    await bench.close();
  });

  it("is listed with the workstations that share it while the program uses it", async () => {
    await made(true);
    await bench.close();
    const db = await openStoreOf(bench.dataDir, { database: database.url });
    await recordMachineActive(db, { name: "Reception", programVersion: "1.0.0" });
    bench = await openBench({ dataDir: bench.dataDir, db, database: database.url });
    const state = await bench.call("database.get", {});
    expect(state).toMatchObject({ place: readPostgresAddress(database.url).place, namedBy: "arguments", next: null });
    expect(state.machines).toMatchObject([{ name: "Reception", isThis: true, isAtWork: true }]);
    expect((await bench.call("app.about", {})).database).toBe(state.place);
    for (const [channel, request] of [
      ["database.choose", { address: null }],
      ["backups.make", { backupId: testId }],
      ["backups.restore", { name: "x" }],
      ["backups.savePlan", { folder: null, withFilms: false, isEncrypted: false }],
      ["encryption.plan", { isWanted: true }],
    ] as const)
      expect([channel, await bench.desktop.call(channel, request, "window")]).toMatchObject([
        channel,
        { ok: false, code: "CONFLICT" },
      ]);
    await bench.close();
  });
});
