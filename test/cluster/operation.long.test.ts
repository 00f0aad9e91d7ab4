import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReadableDb } from "../../main/store/connection.ts";
import { engineOf } from "../../main/store/engines/engine.ts";
import { grantRights } from "../../main/store/engines/postgres/postgres-schema.ts";
import { iterateLedger } from "../../main/store/ledger/ledger-reports.ts";
import { listUndelivered } from "../../main/store/ledger/undelivered-charges.ts";
import { applyMigrations } from "../../main/store/opening/migrations.ts";
import { verifyRecord } from "../../main/store/record/record-verification.ts";
import { runAsServer } from "../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { newTally, runClient } from "./clients.ts";
import { judge } from "./cluster-ledger.ts";
import { openOperatedPractice, type OperatedPractice } from "./operated-practice.ts";
import { runCommandsOf, settingsOf } from "./practice-document.ts";
import type { Node } from "./practice.ts";
import { smallFilm } from "./small-film.ts";

const backups = "Back up, and check the backup";
const standby = "A standby that takes over";

describe.runIf(hasPostgres)("the procedure in docs/practice.md", () => {
  let practice: OperatedPractice;
  let image: string;
  beforeAll(async () => {
    image = await smallFilm();
    practice = await openOperatedPractice();
    await Promise.all(["reception", "surgery"].map((name) => practice.start(name)));
  });
  afterAll(() => practice?.close());

  const send = async ({ service }: Node, method: string, address: string, body: object | null) => {
    const headers = { "x-api-key": practice.key, "content-type": "application/json" };
    const { text } = (await service?.send(method, address, body && JSON.stringify(body), headers)) ?? { text: "{}" };
    return JSON.parse(text) as { readonly status?: string; readonly billing?: { readonly reason: string } };
  };
  const reasonFor = async (node: Node, uuid: string) =>
    (await send(node, "POST", "/v3/predict", { image, uuid })).billing?.reason;
  const workstation = (name: string) => practice.nodes.find(({ dataDir }) => path.basename(dataDir) === name) as Node;
  const patientsOf = (db: ReadableDb) => Array.fromAsync(iterateLedger(db), ({ uuid }) => uuid);
  const recordOf = (db: ReadableDb) => verifyRecord(db, null);

  it("restores a dump completely into a database on which a program runs", async () => {
    const { server, meant } = practice;
    expect(await Promise.all(practice.nodes.map((node, at) => reasonFor(node, `dog ${at}`)))).toEqual(
      practice.nodes.map(() => "valid_vhs"),
    );
    runCommandsOf(backups, /pg_dumpall|pg_dump |createdb|pg_restore/, server(), meant);
    const restored = await practice.ask(recordOf, "checked");
    expect(restored).toMatchObject({ fault: null, rows: 2 });
    expect(restored.lastHash).toBe((await practice.ask(recordOf)).lastHash);
    const beside = await practice.start("beside", "checked");
    expect(await reasonFor(beside, "dog 0")).toBe("recheck_24h");
    expect(await reasonFor(beside, "dog of the copy")).toBe("valid_vhs");
    await beside.service?.stop();
    runCommandsOf(backups, /dropdb/, server());
    expect(await practice.ask(patientsOf)).not.toContain("dog of the copy");
  });

  it("restores an earlier state, which a workstation that had later rows reports", async () => {
    const { server, meant } = practice;
    runCommandsOf(backups, /pg_basebackup/, server(), meant);
    expect(await reasonFor(workstation("reception"), "before the moment")).toBe("valid_vhs");
    // Charges with unconfirmed responses would be reversed after the recovery.
    await expect.poll(() => practice.ask(listUndelivered)).toEqual([]);
    const moment = new Date();
    // The database uses this computer's clock, so later rows differ by at least this time.
    await wait(5);
    expect(await reasonFor(workstation("surgery"), "after the moment")).toBe("valid_vhs");
    await practice.stop();
    await server().stop("kindly");
    const base = path.join(String(meant["/SECOND/DISK"]), "base");
    runAsServer("touch", [path.join(base, "recovery.signal")], server());
    const when = { ...meant, "2026-11-22 14:12:04": moment.toISOString().replace(/(.*)T(.*)Z/, "$1 $2") };
    const recovered = await practice.serverFrom(base, settingsOf(backups, ["restore_", "recovery_"], when));
    practice.leadTo(recovered);
    const isWritable = sql<{ isWritable: number }>`SELECT NOT pg_is_in_recovery() AS is_writable`;
    await expect.poll(async () => (await practice.ask((db) => isWritable.execute(db))).rows[0]?.isWritable).toBe(1);
    const patients = await practice.ask(patientsOf);
    expect(patients).toContain("before the moment");
    expect(patients).not.toContain("after the moment");
    expect((await practice.ask(recordOf)).fault).toBeNull();
    const saw = await practice.start("surgery");
    expect((await send(saw, "GET", "/v3/health", null)).status).toBe("degraded");
    expect(await reasonFor(saw, "after the way back")).toBe("valid_vhs");
  });

  it("fails over to a standby while programs write, without a lost or double charge", async () => {
    const first = practice.server();
    const before = await practice.ask(patientsOf);
    runCommandsOf(standby, /CREATE ROLE/, first);
    const base = path.join(first.folder, "standby");
    runCommandsOf(standby, /pg_basebackup/, first, {
      "host=DB.PRACTICE.EXAMPLE": `host=${first.folder}`,
      " sslmode=verify-full sslrootcert=/etc/corvet/authority.pem": "",
      "/var/lib/postgresql/15/main": base,
    });
    const second = await practice.serverFrom(base, []);
    runCommandsOf(standby, /synchronous_standby_names = /, first);
    const following = sql<{ servers: number }>`
      SELECT count(*) AS servers FROM pg_stat_replication WHERE current_setting('synchronous_standby_names') = '*'`;
    await expect.poll(async () => (await practice.ask((db) => following.execute(db))).rows[0]?.servers).toBe(1);
    if (!workstation("reception")) await practice.start("reception");
    const tally = newTally();
    let isOver = false;
    const clients = [0, 1, 2, 3, 4, 5].map((client) => runClient(practice, client, image, tally, () => isOver));
    const more = async () => {
      const billed = () => tally.answers.filter(({ billing }) => billing.billable).length;
      const enough = billed() + 15;
      await expect.poll(billed).toBeGreaterThan(enough);
    };
    try {
      await more();
      await first.stop("at once");
      runCommandsOf(standby, /pg_promote/, second);
      practice.leadTo(second);
      await more();
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    // Charges whose response was not delivered are reversed once the programs can write again.
    await expect.poll(() => practice.ask(listUndelivered)).toEqual([]);
    const judgement = await practice.ask((db) => judge(db, tally, new Set()));
    expect(judgement).toMatchObject({ lost: 0, double: 0, surplus: before.length, isChainIntact: true });
    expect(judgement.misnumbered).toBe(0);
  });

  it("lets running programs of the previous version use migrated tables, but refuses to start one", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "corvet-migrations-"));
    try {
      await practice.ask(async (db) => {
        cpSync(engineOf(db).schema.migrationsDir, folder, { recursive: true });
        const next = `CREATE TABLE next (id bigint PRIMARY KEY);
          ALTER TABLE measurements ADD COLUMN next bigint NOT NULL DEFAULT 0;
          CREATE INDEX ledger_next ON ledger (at_ms);`;
        writeFileSync(path.join(folder, "9999-next.sql"), next);
        await applyMigrations(db, folder);
        await grantRights(db);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(await reasonFor(workstation("surgery"), "beside the next version")).toBe("valid_vhs");
    expect(await reasonFor(workstation("reception"), "beside the next version")).toBe("recheck_24h");
    await expect(practice.start("late")).rejects.toThrow("the service ended with status 1");
  });
});
