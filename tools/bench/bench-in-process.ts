import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import { decodeImage } from "../../main/imaging/decode-image.ts";
import { createEngine, type Engine } from "../../main/inference/engine.ts";
import { measure } from "../../main/inference/measuring.ts";
import type { NetworkCall } from "../../main/inference/threads/network-calls.ts";
import { startNetworkPool } from "../../main/inference/threads/network-pool.ts";
import { createPackRegistry } from "../../main/inference/packs/pack-registry.ts";
import { programVersion } from "../../main/program.ts";
import { filmsUnderWay } from "../../main/services/measuring/work-queue.ts";
import { openBareNetworks, type BareNetworks } from "./bench-bare.ts";
import { timedMs } from "../quantiles.ts";

export type InProcessFigures = {
  /** Of a film whose first poses are good. */
  readonly networksPerFilm: number;
  /** The faster of the two ways to run the networks of one film. */
  readonly bareMs: number;
  readonly bareInTurnMs: number;
  /** Null where there is one core only. */
  readonly bareSideBySideMs: number | null;
  readonly decodeMs: number;
  readonly wholeMs: number;
  readonly batchOfTenMs: number;
  /** As many as the ten films run. */
  readonly networksOfTen: number;
  /** These and nothing else, in the faster of the two ways. */
  readonly bareOfTenMs: number;
  readonly filmsPerSecond: number;
};

/** After so many single films comes a batch of ten, so that both are compared with bare networks of the same minute. */
const filmsPerBatch = 2;

/** The networks alone and everything around them, in turn, on the same films in the same process. */
export async function benchInProcess(
  films: readonly Buffer[],
  packFolder: string,
  runs: number,
): Promise<InProcessFigures> {
  const ten = Array.from({ length: 10 }, (_, index) => films[index % films.length] as Buffer);
  const counts = await countNetworks(ten, packFolder);
  const bare = await openBareNetworks(packFolder);
  const engine = await createEngine({
    packFolders: [packFolder],
    programVersion,
    log: { warn: () => undefined, error: () => undefined },
  });
  const oneFilm = startTimes();
  const tenFilms = startTimes();
  const decode: number[] = [];
  try {
    await measurePipelined(engine, ten);
    for (let run = 0; run < runs; run += 1) {
      const film = films[run % films.length] as Buffer;
      await timeBare(bare, [bare.leastCount], oneFilm);
      decode.push(await timedMs(() => decodeImage(film)));
      oneFilm.whole.push(await timedMs(() => measureFilm(engine, film)));
      if (run % filmsPerBatch !== 0) continue;
      await timeBare(bare, counts, tenFilms);
      tenFilms.whole.push(await timedMs(() => measurePipelined(engine, ten)));
    }
  } finally {
    await engine.close();
    await bare.close();
  }
  const batchOfTenMs = median(tenFilms.whole);
  return {
    networksPerFilm: bare.leastCount,
    bareMs: fastest(oneFilm),
    bareInTurnMs: median(oneFilm.inTurn),
    bareSideBySideMs: oneFilm.sideBySide.length > 0 ? median(oneFilm.sideBySide) : null,
    decodeMs: median(decode),
    wholeMs: median(oneFilm.whole),
    batchOfTenMs,
    networksOfTen: counts.reduce((sum, count) => sum + count, 0),
    bareOfTenMs: fastest(tenFilms),
    filmsPerSecond: 10_000 / batchOfTenMs,
  };
}

/** Of networks alone, run in two ways, and of the whole [ms]. */
type Times = { readonly inTurn: number[]; readonly sideBySide: number[]; readonly whole: number[] };

function startTimes(): Times {
  return { inTurn: [], sideBySide: [], whole: [] };
}

/** Runs so many networks for each film, one film after the other. */
async function timeBare({ inTurn, sideBySide }: BareNetworks, counts: readonly number[], times: Times): Promise<void> {
  const each = (way: (count: number) => Promise<void>) =>
    timedMs(async () => {
      for (const count of counts) await way(count);
    });
  times.inTurn.push(await each(inTurn));
  if (sideBySide) times.sideBySide.push(await each(sideBySide));
}

function fastest({ inTurn, sideBySide }: Times): number {
  return Math.min(median(inTurn), sideBySide.length > 0 ? median(sideBySide) : Infinity);
}

/** How many networks each film runs: a pose that has to be corrected is looked at once more. */
async function countNetworks(films: readonly Buffer[], packFolder: string): Promise<number[]> {
  const registry = createPackRegistry([packFolder]);
  const pool = startNetworkPool();
  const counts: number[] = [];
  try {
    await registry.reload(pool.everywhere, {});
    // To agree is no network's work but for that of the column.
    const hasColumn = registry.active("landmarks")?.manifest.column !== undefined;
    for (const film of films) {
      let count = 0;
      const call: NetworkCall = (name, request) => {
        if (name !== "agree" || hasColumn) count += 1;
        return pool.forFilm(0)(name, request);
      };
      await measure({ registry, call, signal: undefined, programVersion }, await decodeImage(film));
      counts.push(count);
    }
  } finally {
    await pool.close();
  }
  return counts;
}

async function measureFilm(engine: Engine, film: Buffer): Promise<void> {
  await engine.measure(await decodeImage(film));
}

/** As many films under way at a time as the service has. */
async function measurePipelined(engine: Engine, films: readonly Buffer[]): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < films.length) await measureFilm(engine, films[next++] as Buffer);
  };
  await Promise.all(Array.from({ length: filmsUnderWay }, lane));
}
