import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { runCommand, UsageError } from "../../main/commands/running/run-command.ts";
import { recordBillableMeasurement } from "../../main/services/calls/billing.ts";
import { createKey } from "../../main/services/calls/keys.ts";
import { openStore, type WritableDb } from "../../main/store/database.ts";
import { engineOf, transaction } from "../../main/store/engines/engine.ts";
import { openPostgresStore } from "../../main/store/engines/postgres/open-postgres-store.ts";
import { quantile, timedMs } from "../../tools/quantiles.ts";
import { startCluster } from "../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { urlOf } from "../fixtures/postgres/temporary-database.ts";
import { meteredCall } from "../main/store/sample-store.ts";
import { newTally, runClient } from "./clients.ts";
import { openPractice } from "./practice.ts";
import { smallFilm } from "./small-film.ts";

const usage = `npm run store-bench -- [--nodes N,…] [--seconds N] [--measurements N,…]
Predictions a second of programs that share a PostgreSQL database, with recorded answers in place of the networks; then what a measurement
with its charge costs on SQLite and on PostgreSQL, as measurements grow. Every commit waits for the disk.
  --nodes N,…         programs (default 1,2,4)
  --seconds N         for each (default 20)
  --measurements N,…  in the store before (default 10000,100000,1000000)`;

const clients = 16;
const charges = 200;

runCommand("store-bench", usage, async (args, print) => {
  const { values } = parseArgs({
    args,
    options: {
      nodes: { type: "string", default: "1,2,4" },
      seconds: { type: "string", default: "20" },
      measurements: { type: "string", default: "10000,100000,1000000" },
    },
  });
  if (!hasPostgres) throw new UsageError("there is no PostgreSQL here");
  print("nodes   answers a second   median [ms]   95 of 100 [ms]");
  for (const nodes of numbersIn(values.nodes)) print(await throughputOf(nodes, Number(values.seconds)));
  print("\nmeasurements   SQLite: median, 95 of 100 [ms]   PostgreSQL: median, 95 of 100 [ms]");
  for (const line of await growth(numbersIn(values.measurements))) print(line);
});

function numbersIn(list: string): number[] {
  const numbers = list.split(",").map(Number);
  if (numbers.some((number) => !Number.isInteger(number) || number < 1)) throw new UsageError(`${list} are no numbers`);
  return numbers;
}

async function throughputOf(nodes: number, seconds: number): Promise<string> {
  const practice = await openPractice({ nodes });
  try {
    const tally = newTally();
    const image = await smallFilm();
    const endMs = performance.now() + seconds * 1000;
    const isOver = () => performance.now() > endMs;
    await Promise.all(
      Array.from({ length: clients }, (_, client) => runClient(practice, client, image, tally, isOver)),
    );
    const { latenciesMs } = tally;
    const figures = [latenciesMs.length / seconds, quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.95)];
    const [rate = "", median = "", slow = ""] = figures.map((figure) => figure.toFixed(0));
    return `${String(nodes).padEnd(8)}${rate.padEnd(19)}${median.padEnd(14)}${slow}`;
  } finally {
    await practice.close();
  }
}

async function growth(sizes: readonly number[]): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-store-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const stores = [await openStore(folder), await openPostgresStore(urlOf(cluster.folder, "postgres"), unlimited)];
  const lines: string[] = [];
  try {
    const accounts = await Promise.all(stores.map(openAccount));
    for (const size of sizes) {
      const columns: string[] = [];
      for (const [index, db] of stores.entries()) {
        await fillUpTo(db, size);
        const times = await timesOfCharges(db, accounts[index] ?? "");
        columns.push(`${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 0.95).toFixed(1)}`);
      }
      lines.push(`${String(size).padEnd(15)}${columns[0]?.padEnd(33)}${columns[1]}`);
    }
  } finally {
    for (const db of stores) await db.destroy();
    await cluster.remove();
    rmSync(folder, { recursive: true });
  }
  return lines;
}

const unlimited = { isTimeLimited: false };

/** An account with one measurement, which the others are made of. */
async function openAccount(db: WritableDb): Promise<string> {
  const { accountId } = await createKey(db, { accountName: "Bench", name: "", at: new Date() });
  await charge(db, accountId);
  return accountId;
}

/** Copies of the first measurement, each of a patient of its own, without charges: those have a chain. */
async function fillUpTo(db: WritableDb, size: number): Promise<void> {
  const [first] = (
    await sql<Record<string, unknown>>`SELECT * FROM measurements WHERE id = 1`.execute(db.withoutPlugins())
  ).rows;
  const copied = Object.keys(first ?? {}).filter((name) => !["id", "call_id", "uuid", "uuid_nfc"].includes(name));
  const { rows } = await db
    .selectFrom("measurements")
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  const names = sql.raw(copied.join(", "));
  await transaction(db, () =>
    sql`INSERT INTO measurements (call_id, uuid, uuid_nfc, ${names})
      WITH RECURSIVE made (number) AS (SELECT ${sql.lit(rows)} UNION ALL SELECT number + 1 FROM made WHERE number < ${sql.lit(size)})
      SELECT 'made ' || number, 'patient ' || number, 'patient ' || number, ${names} FROM measurements, made WHERE id = 1`.execute(
      db,
    ),
  );
  if (engineOf(db).file === null) await sql`ANALYZE`.execute(db);
}

async function timesOfCharges(db: WritableDb, accountId: string): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < charges; call += 1) times.push(await timedMs(() => charge(db, accountId)));
  return times;
}

async function charge(db: WritableDb, accountId: string): Promise<void> {
  const { reason } = await recordBillableMeasurement(
    db,
    { ...meteredCall({ accountId, uuid: randomUUID(), at: new Date() }), callId: randomUUID() },
    ({ message }) => {
      throw new Error(message);
    },
  );
  if (reason !== "valid_vhs") throw new Error(`not charged: ${reason}`);
}
