import { Command } from "commander";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { wholeNumber } from "../../main/commands/running/options.ts";
import { print, runProgram, UsageError } from "../../main/commands/running/run-program.ts";
import { recordBillableMeasurement } from "../main/store/record-billable-measurement.ts";
import { createKey } from "../../main/services/calls/keys.ts";
import { openStore, type WritableDb } from "../../main/store/database.ts";
import { openPostgresStore } from "../../main/store/engines/postgres/open-postgres-store.ts";
import { quantile, timedMs } from "../../tools/quantiles.ts";
import { startCluster } from "../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { urlOf } from "../fixtures/postgres/temporary-database.ts";
import { newTally, runClient } from "./clients.ts";
import { analyse, fillFilms, fillMeasurements } from "./large-store.ts";
import { openPractice } from "./practice.ts";
import { smallFilm } from "./small-film.ts";
import { queriesOfApi, queriesOfWindow, type TimedQuery } from "./store-queries.ts";

const clients = 16;
const charges = 200;
const turns = 9;

type BenchOptions = {
  readonly nodes: readonly number[];
  readonly seconds: number;
  readonly measurements: readonly number[];
  readonly films: number;
};

async function benchStores({ nodes, seconds, measurements, films }: BenchOptions): Promise<void> {
  if (!hasPostgres) throw new UsageError("PostgreSQL is not installed.");
  print("nodes   answers a second   median [ms]   95th pct. [ms]");
  for (const count of nodes) if (count > 0) print(await throughputOf(count, seconds));
  await compare(measurements, films);
}

const wholeNumbers = (least: number) => (list: string) => list.split(",").map(wholeNumber(least));

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

type Store = { readonly db: WritableDb; readonly accountId: string };

async function compare(sizes: readonly number[], films: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-store-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const dbs = [await openStore(folder), await openPostgresStore(urlOf(cluster.folder, "postgres"), unlimited)];
  try {
    const stores = await Promise.all(dbs.map(async (db) => ({ db, accountId: await openAccount(db) })));
    print(`\nmeasurements   ${"SQLite: median, 95th pct. [ms]".padEnd(33)}PostgreSQL: median, 95th pct. [ms]`);
    for (const size of sizes) {
      await filled(stores, ({ db }) => fillMeasurements(db, size));
      const row = (name: string, times: readonly (readonly number[])[]) =>
        print(`${name.padEnd(15)}${times.map((each) => medianAndSlow(each).padEnd(33)).join("")}`.trimEnd());
      row(String(size), await ofEach(stores, ({ db, accountId }) => timesOfCharges(db, accountId)));
      for (const [index, { name }] of queriesOfApi("").entries()) {
        const times = ({ db, accountId }: Store) => timesOf(db, queriesOfApi(accountId)[index]);
        print(
          `  ${name.padEnd(28)}${(await ofEach(stores, times)).map((each) => medianAndSlow(each).padEnd(18)).join("")}`,
        );
      }
    }
    await filled(stores, ({ db }) => fillFilms(db, films));
    print(`\n${`${films} films`.padEnd(28)}${"SQLite [ms]".padEnd(18)}PostgreSQL [ms]`);
    for (const query of queriesOfWindow(films)) {
      const times = await ofEach(stores, ({ db }) => timesOf(db, query));
      print(`${query.name.padEnd(28)}${times.map((each) => medianAndSlow(each).padEnd(18)).join("")}`.trimEnd());
    }
  } finally {
    for (const db of dbs) await db.destroy();
    await cluster.remove();
    rmSync(folder, { recursive: true });
  }
}

async function ofEach<T>(stores: readonly Store[], work: (store: Store) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const store of stores) results.push(await work(store));
  return results;
}

async function filled(stores: readonly Store[], fill: (store: Store) => Promise<void>): Promise<void> {
  const times = await ofEach(stores, (store) =>
    timedMs(async () => {
      await fill(store);
      await analyse(store.db);
    }),
  );
  print(`(filled in ${times.map((ms) => (ms / 1000).toFixed(0)).join(" and ")} s)`);
}

function medianAndSlow(times: readonly number[]): string {
  return `${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 0.95).toFixed(1)}`;
}

/** Times a query, except the first run, which compiles it and reads from disk. */
async function timesOf(db: WritableDb, query: TimedQuery | undefined): Promise<number[]> {
  if (!query) return [];
  await query.ask(db);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) times.push(await timedMs(() => query.ask(db)));
  return times;
}

const unlimited = { isTimeLimited: false };

async function openAccount(db: WritableDb): Promise<string> {
  const { accountId } = await createKey(db, { accountName: "Bench", name: "", at: new Date() });
  await charge(db, accountId);
  return accountId;
}

async function timesOfCharges(db: WritableDb, accountId: string): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < charges; call += 1) times.push(await timedMs(() => charge(db, accountId)));
  return times;
}

async function charge(db: WritableDb, accountId: string): Promise<void> {
  const { reason } = await recordBillableMeasurement(db, { accountId, uuid: randomUUID(), at: new Date() });
  if (reason !== "valid_vhs") throw new Error(`not charged: ${reason}`);
}

await runProgram(
  new Command("store-bench")
    .description(
      "count predictions per second of programs that share a PostgreSQL database, with recorded results in place of the networks; then time charges and the window's queries on SQLite and PostgreSQL, each commit flushed to disk",
    )
    .option("--nodes <n,...>", "programs; 0 omits them", wholeNumbers(0), [1, 2, 4])
    .option("--seconds <n>", "duration for each", wholeNumber(1), 20)
    .option("--measurements <n,...>", "measurements in the store before", wholeNumbers(1), [10_000, 100_000, 1_000_000])
    .option("--films <n>", "films on the worklist of the window's queries", wholeNumber(1), 50_000)
    .action(benchStores),
  process.argv.slice(2),
);
