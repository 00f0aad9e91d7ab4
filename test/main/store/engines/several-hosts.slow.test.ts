// Runs once: opens PostgreSQL itself.
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineOf, transaction } from "../../../../main/store/engines/engine.ts";
import { examineDatabase } from "../../../../main/store/engines/postgres/examine-database.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { keepOrder } from "../../../fixtures/keep-order.ts";
import { runAsServer, startCluster, type Cluster } from "../../../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";

describe.runIf(hasPostgres)("an address with several hosts", () => {
  let primary: Cluster;
  let standby: Cluster;
  let db: WritableDb;
  const url = (...clusters: readonly Cluster[]) =>
    `postgres://postgres@/postgres?target_session_attrs=read-write&host=${clusters.map(({ folder }) => folder).join(",")}`;
  // The last test promotes the standby.
  keepOrder();
  beforeAll(async () => {
    primary = await startCluster({ isDurable: true });
    const base = path.join(primary.folder, "standby");
    runAsServer("pg_basebackup", ["--pgdata", base, "--write-recovery-conf"], primary);
    standby = await startCluster({ isDurable: true, base: { folder: base, password: primary.password } });
    db = await openPostgresStore(url(standby, primary), { machineId: "5f1c9a8e-0000-4000-8000-000000000001" });
  });
  afterAll(async () => {
    await db.destroy();
    await standby.remove();
    await primary.remove();
  });

  const note = (key: string) => transaction(db, () => db.insertInto("settings").values({ key, value: "0" }).execute());
  const noted = async () =>
    (await db.selectFrom("settings").select("key").orderBy("key").execute()).map(({ key }) => key);

  it("connects to the primary regardless of its position", async () => {
    await note("first");
    expect(await noted()).toEqual(["first"]);
  });

  it("refuses an address with only a standby, which is reported as such", async () => {
    await expect(openPostgresStore(url(standby))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await examineDatabase(url(standby), AbortSignal.timeout(20_000))).toMatchObject({ outcome: "standby" });
  });

  it("switches to a promoted standby for reads, writes and messages between workstations", async () => {
    const other = await openPostgresStore(url(primary, standby), {
      machineId: "5f1c9a8e-0000-4000-8000-000000000002",
    });
    const received: string[] = [];
    let missed = 0;
    const listener = {
      received: (text: string) => received.push(text),
      missed: () => (missed += 1),
      away: () => undefined,
    };
    const ends = [
      await busOf(other).listen(listener),
      await busOf(db).listen({ ...listener, received: () => undefined }),
    ];
    try {
      await expect.poll(() => replayed(db)).toBe(true);
      await primary.stop("at once");
      await expect(note("while no host is a primary")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      runAsServer("psql", ["-c", "SELECT pg_promote()"], standby);
      await expect
        .poll(() =>
          note("second").then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      expect(await noted()).toEqual(["first", "second"]);
      await expect.poll(() => missed).toBe(2);
      busOf(db).send("after the failover");
      await expect.poll(() => received).toEqual(["after the failover"]);
    } finally {
      for (const end of ends) await end();
      await other.destroy();
    }
  });
});

function busOf(db: WritableDb) {
  const { bus } = engineOf(db);
  if (bus === null) throw new Error("workstations do not share this store");
  return bus;
}

async function replayed(db: WritableDb): Promise<boolean> {
  const asked = sql<{ standbys: number }>`
    SELECT count(*) AS standbys FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()`;
  return (await asked.execute(db)).rows[0]?.standbys === 1;
}
