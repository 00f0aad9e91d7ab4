import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../../main/commands/running/run-command.ts";
import { UsageError } from "../../main/commands/running/run-program.ts";
import { recordBillableMeasurement } from "../../main/services/calls/billing.ts";
import { createKey } from "../../main/services/calls/keys.ts";
import { openStore, type WritableDb } from "../../main/store/database.ts";
import { openPostgresStore } from "../../main/store/engines/postgres/open-postgres-store.ts";
import { quantile, timedMs } from "../../tools/quantiles.ts";
import { startCluster } from "../fixtures/postgres/cluster.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { urlOf } from "../fixtures/postgres/temporary-database.ts";
import { meteredCall } from "../main/store/sample-store.ts";
import { newTally, runClient } from "./clients.ts";
import { analyse, fillFilms, fillMeasurements } from "./large-store.ts";
import { openPractice } from "./practice.ts";
import { smallFilm } from "./small-film.ts";
import { questionsOfApi, questionsOfWindow, type Question } from "./store-questions.ts";

const usage = `npm run bench -- store [--nodes N,…] [--seconds N] [--measurements N,…]
Predictions a second of programs that share a PostgreSQL database, with recorded answers in place of the networks; then what a measurement
with its charge costs on SQLite and on PostgreSQL, as measurements grow, and how long the window waits for its answers. Every commit waits
for the disk.
  --nodes N,…         programs (default 1,2,4; 0 leaves them out)
  --seconds N         for each (default 20)
  --measurements N,…  in the store before (default 10000,100000,1000000)
  --films N           on the worklist whose questions are asked last (default 50000)`;

const clients = 16;
const charges = 200;
const turns = 9;

runCommand("store-bench", usage, async (args, print) => {
  const { values } = parseArgs({
    args,
    options: {
      nodes: { type: "string", default: "1,2,4" },
      seconds: { type: "string", default: "20" },
      measurements: { type: "string", default: "10000,100000,1000000" },
      films: { type: "string", default: "50000" },
    },
  });
  if (!hasPostgres) throw new UsageError("there is no PostgreSQL here");
  print("nodes   answers a second   median [ms]   95 of 100 [ms]");
  for (const nodes of values.nodes === "0" ? [] : numbersIn(values.nodes))
    print(await throughputOf(nodes, Number(values.seconds)));
  await compare({ sizes: numbersIn(values.measurements), films: Number(values.films) }, print);
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

type Store = { readonly db: WritableDb; readonly accountId: string };

/** Both engines in turn, filled step by step: what charges cost, then what the window asks. */
async function compare(
  { sizes, films }: { readonly sizes: readonly number[]; readonly films: number },
  print: (line: string) => void,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-store-bench-"));
  const cluster = await startCluster({ isDurable: true });
  const dbs = [await openStore(folder), await openPostgresStore(urlOf(cluster.folder, "postgres"), unlimited)];
  try {
    const stores = await Promise.all(dbs.map(async (db) => ({ db, accountId: await openAccount(db) })));
    print(`\nmeasurements   ${"SQLite: median, 95 of 100 [ms]".padEnd(33)}PostgreSQL: median, 95 of 100 [ms]`);
    for (const size of sizes) {
      await filled(stores, ({ db }) => fillMeasurements(db, size), print);
      const row = (name: string, times: readonly (readonly number[])[]) =>
        print(`${name.padEnd(15)}${times.map((each) => medianAndSlow(each).padEnd(33)).join("")}`.trimEnd());
      row(String(size), await ofEach(stores, ({ db, accountId }) => timesOfCharges(db, accountId)));
      for (const [index, { name }] of questionsOfApi("").entries()) {
        const times = ({ db, accountId }: Store) => timesOf(db, questionsOfApi(accountId)[index]);
        print(
          `  ${name.padEnd(28)}${(await ofEach(stores, times)).map((each) => medianAndSlow(each).padEnd(18)).join("")}`,
        );
      }
    }
    await filled(stores, ({ db }) => fillFilms(db, films), print);
    print(`\n${`${films} films`.padEnd(28)}${"SQLite [ms]".padEnd(18)}PostgreSQL [ms]`);
    for (const question of questionsOfWindow(films)) {
      const times = await ofEach(stores, ({ db }) => timesOf(db, question));
      print(`${question.name.padEnd(28)}${times.map((each) => medianAndSlow(each).padEnd(18)).join("")}`.trimEnd());
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

/** Fills both stores, and says how long it took. */
async function filled(
  stores: readonly Store[],
  fill: (store: Store) => Promise<void>,
  print: (line: string) => void,
): Promise<void> {
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

/** The first answer finds nothing compiled or read from the disk, and is left out. */
async function timesOf(db: WritableDb, question: Question | undefined): Promise<number[]> {
  if (!question) return [];
  await question.ask(db);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) times.push(await timedMs(() => question.ask(db)));
  return times;
}

const unlimited = { isTimeLimited: false };

/** An account with one measurement, which the others are made of. */
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
  const { reason } = await recordBillableMeasurement(
    db,
    { ...meteredCall({ accountId, uuid: randomUUID(), at: new Date() }), callId: randomUUID() },
    ({ message }) => {
      throw new Error(message);
    },
  );
  if (reason !== "valid_vhs") throw new Error(`not charged: ${reason}`);
}
