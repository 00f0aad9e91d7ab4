// Runs once: opens PostgreSQL itself.
import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { recordAndCharge } from "../../../../main/services/calls/billing.ts";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { transaction } from "../../../../main/store/engines/engine.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import { listUndelivered, insertUndelivered } from "../../../../main/store/ledger/undelivered-charges.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { hasBouncer, startBouncer } from "../../../fixtures/postgres/bouncer.ts";
import { runAsServer, startCluster, type Cluster } from "../../../fixtures/postgres/cluster.ts";
import { faultyNetwork } from "../../../fixtures/postgres/faulty-network.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { freePort } from "../../dicom/network/dcmtk.ts";
import { meteredCall } from "../sample-store.ts";

// Tests that each acknowledged charge is in the ledger once, with a full disk, PgBouncer in transaction mode, a slow
// network and a failover to a standby.

const at = new Date("2026-11-10T09:00:00Z");

type Tally = { readonly charged: string[]; readonly refused: string[] };
const newTally = (): Tally => ({ charged: [], refused: [] });

const answered = ({ charged, refused }: Tally) => charged.length + refused.length;

async function charge(db: WritableDb, accountId: string, tally: Tally): Promise<void> {
  const callId = randomUUID();
  const isRecorded = await transaction(db, async () => {
    const { seq } = await recordAndCharge(db, meteredCall({ accountId, at, callId }));
    await insertUndelivered(db, { callId, seq: seq ?? 0, answerUntilMs: null });
  }).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return false;
    },
  );
  tally[isRecorded ? "charged" : "refused"].push(callId);
}

/** Charges calls through every store concurrently, one after another in each. */
async function chargeMany(
  stores: readonly WritableDb[],
  accountId: string,
  calls: number,
  tally = newTally(),
): Promise<Tally> {
  const client = async (db: WritableDb) => {
    for (let call = 0; call < calls; call += 1) await charge(db, accountId, tally);
  };
  await Promise.all(stores.map(client));
  return tally;
}

async function expectNothingLostOrDouble(db: WritableDb, tallies: readonly Tally[]): Promise<void> {
  const rows = await db.selectFrom("ledger").select("callId").where("kind", "=", "charge").execute();
  const booked = rows.map(({ callId }) => callId);
  expect(new Set(booked).size).toBe(booked.length);
  const lost = tallies.flatMap(({ charged }) => charged).filter((callId) => !booked.includes(callId));
  // If the response to COMMIT was lost, the charge is marked as undelivered, and the service reverses it.
  const marked = (await listUndelivered(db)).map(({ callId }) => callId);
  const unexpected = tallies
    .flatMap(({ refused }) => refused)
    .filter((callId) => booked.includes(callId) && !marked.includes(callId));
  expect({ lost, unexpected }).toEqual({ lost: [], unexpected: [] });
  expect(await verifyLedger(db)).toMatchObject({ isIntact: true });
}

describe.runIf(hasPostgres)("a store in PostgreSQL", () => {
  let cluster: Cluster;
  let stores: WritableDb[] = [];
  const close = async () => {
    await Promise.all(stores.map((db) => db.destroy()));
    stores = [];
  };
  afterEach(async () => {
    await close();
    await cluster.remove();
  });
  const socketUrl = () => `postgres://postgres@localhost:${cluster.port}/postgres?host=${cluster.folder}`;
  const open = async (url = socketUrl()) => {
    const db = await openPostgresStore(url);
    stores.push(db);
    return db;
  };
  const newAccount = async (db: WritableDb) => (await ensureAccount(db, { name: "Clinic", at })).id;

  const canMount = process.getuid?.() === 0 && existsSync("/proc/mounts");
  it.runIf(canMount)("keeps acknowledged charges when the disk fills up, and continues after that", async () => {
    const disk = mkdtempSync(path.join(tmpdir(), "corvet-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=250m,mode=755", "tmpfs", disk], { stdio: "ignore" });
    try {
      cluster = await startCluster({ folder: path.join(disk, "cluster"), isDurable: true });
      const db = await open();
      const accountId = await newAccount(db);
      const before = await chargeMany([db], accountId, 20);
      const filler = path.join(disk, "filler");
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64k"]);
      const full: Tally = newTally();
      for (let call = 0; call < 5000 && full.refused.length < 5; call += 1) await charge(db, accountId, full);
      expect(full.refused).toHaveLength(5);
      rmSync(filler);
      // PostgreSQL terminates when it cannot write its log.
      await cluster.stop("at once");
      await cluster.start();
      const after = await chargeMany([db], accountId, 20);
      expect([before, after].map(({ charged }) => charged.length)).toEqual([20, 20]);
      await expectNothingLostOrDouble(db, [before, full, after]);
    } finally {
      await close();
      await cluster.remove();
      execFileSync("umount", ["-l", disk]);
      rmSync(disk, { recursive: true });
    }
  });

  it.runIf(hasBouncer)("charges each call once behind PgBouncer in transaction mode, which is killed", async () => {
    cluster = await startCluster({ port: await freePort(), isDurable: true });
    const direct = await open();
    const accountId = await newAccount(direct);
    const port = await freePort();
    let bouncer = await startBouncer(cluster, port);
    try {
      const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
      const pooled = [await open(url), await open(url), await open(url)];
      const calm = await chargeMany(pooled, accountId, 40);
      expect([calm.charged.length, calm.refused.length]).toEqual([120, 0]);
      const tally = newTally();
      let kills = 0;
      const charging = chargeMany([...pooled, ...pooled], accountId, 60, tally);
      for (; kills < 3; kills += 1) {
        const reached = answered(tally) + 60;
        await expect.poll(() => answered(tally) >= reached).toBe(true);
        await bouncer.kill();
        bouncer = await startBouncer(cluster, port);
      }
      await charging;
      await expectNothingLostOrDouble(direct, [calm, tally]);
    } finally {
      await close();
      await bouncer.kill();
    }
  });

  it("charges each call once over a network with 100 ms latency that loses connections", async () => {
    cluster = await startCluster({ port: await freePort(), isDurable: true });
    const near = await open();
    const accountId = await newAccount(near);
    const beside = await chargeMany([near], accountId, 20);
    const network = await faultyNetwork(cluster.port, { delayMs: 50 });
    try {
      const url = `postgres://postgres:${cluster.password}@127.0.0.1:${network.port}/postgres`;
      const far = [await open(url), await open(url)];
      const calm = await chargeMany(far, accountId, 15);
      expect([calm.charged.length, calm.refused.length]).toEqual([30, 0]);
      const tally = newTally();
      const charging = chargeMany(far, accountId, 20, tally);
      for (let resets = 0; resets < 4; resets += 1) {
        const reached = answered(tally) + 5;
        await expect.poll(() => answered(tally) >= reached).toBe(true);
        network.reset();
      }
      await charging;
      await expectNothingLostOrDouble(near, [beside, calm, tally]);
    } finally {
      await close();
      await network.close();
    }
  });

  it("charges each call once during two failovers, with both hosts in the address", async () => {
    cluster = await startCluster({ isDurable: true });
    const first = cluster;
    let [primary, standby] = [first, await startStandby(first)];
    const second = standby;
    try {
      const pair = [first, second].map(({ folder }) => folder).join(",");
      const url = `postgres://postgres@/postgres?target_session_attrs=read-write&host=${pair}`;
      const followers = [await open(url), await open(url), await open(url)];
      const accountId = await newAccount(followers[0]!);
      const tally = newTally();
      const away: number[] = [];
      for (let round = 0; round < 2; round += 1) {
        let isOver = false;
        const chargeUntilOver = async (db: WritableDb) => {
          while (!isOver) await charge(db, accountId, tally);
        };
        const charging = Promise.all(followers.map(chargeUntilOver));
        const chargedMore = async () => {
          const reached = tally.charged.length + 60;
          await expect.poll(() => tally.charged.length >= reached).toBe(true);
        };
        await chargedMore();
        await primary.stop("at once");
        const stoppedAt = Date.now();
        const reset = ["-c", "ALTER SYSTEM RESET synchronous_standby_names", "-c", "SELECT pg_reload_conf()"];
        runAsServer("psql", [...reset, "-c", "SELECT pg_promote()"], standby);
        await chargedMore();
        away.push(Date.now() - stoppedAt);
        isOver = true;
        await charging;
        await primary.remove();
        [primary, standby] = [standby, await startStandby(standby, primary.folder)];
      }
      await expectNothingLostOrDouble(followers[0]!, [tally]);
      expect(tally.refused.length).toBeGreaterThan(0);
      const counts = `${tally.charged.length} charged, ${tally.refused.length} refused`;
      console.log(`${counts}; 60 more charges ${away.join(" and ")} ms after the crashes`);
    } finally {
      await close();
      await Promise.all([primary, standby, second].map((each) => each.remove()));
    }
  });
});

/** Starts a synchronous standby, which each commit of the primary waits for. */
async function startStandby(primary: Cluster, folder?: string): Promise<Cluster> {
  const base = path.join(primary.folder, "base");
  runAsServer("pg_basebackup", ["--pgdata", base, "--checkpoint=fast", "--write-recovery-conf"], primary);
  const standby = await startCluster({
    ...(folder === undefined ? {} : { folder }),
    isDurable: true,
    base: { folder: base, password: primary.password },
  });
  rmSync(base, { recursive: true });
  const wait = ["-c", "ALTER SYSTEM SET synchronous_standby_names = '*'", "-c", "SELECT pg_reload_conf()"];
  runAsServer("psql", wait, primary);
  return standby;
}
