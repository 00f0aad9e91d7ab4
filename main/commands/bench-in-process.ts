import { median } from "../../core/cardiac/vertebral-ruler.ts";
import { decodeImage } from "../imaging/decode-image.ts";
import { createEngine, type Engine } from "../inference/engine.ts";
import { programVersion } from "../program.ts";
import { filmsUnderWay } from "../services/work-queue.ts";
import { openBareNetworks } from "./bench-bare.ts";
import { timedMs } from "./quantiles.ts";

export type InProcessFigures = {
  readonly networksPerFilm: number;
  /** The faster of the two ways to run the networks of one film. */
  readonly bareMs: number;
  readonly bareInTurnMs: number;
  /** Null where there is one core only. */
  readonly bareSideBySideMs: number | null;
  readonly decodeMs: number;
  readonly wholeMs: number;
  readonly batchOfTenMs: number;
  readonly filmsPerSecond: number;
};

/** After so many single films comes a batch of ten, so that both are compared with bare networks of the same minute. */
const filmsPerBatch = 4;

/** The networks alone and everything around them, in turn, on the same films in the same process. */
export async function benchInProcess(films: readonly Buffer[], packFolder: string, runs: number): Promise<InProcessFigures> {
  const bare = await openBareNetworks(packFolder);
  const engine = await createEngine({ packFolders: [packFolder], programVersion, log: { warn: () => undefined, error: () => undefined } });
  const times = { inTurn: [] as number[], sideBySide: [] as number[], decode: [] as number[], whole: [] as number[], batch: [] as number[] };
  try {
    await measurePipelined(engine, films);
    for (let run = 0; run < runs; run += 1) {
      const film = films[run % films.length] as Buffer;
      times.inTurn.push(await timedMs(bare.inTurn));
      if (bare.sideBySide) times.sideBySide.push(await timedMs(bare.sideBySide));
      times.decode.push(await timedMs(() => decodeImage(film)));
      times.whole.push(await timedMs(() => measureFilm(engine, film)));
      if (run % filmsPerBatch === 0) times.batch.push(await timedMs(() => measurePipelined(engine, films)));
    }
  } finally {
    await engine.close();
    await bare.close();
  }
  const bareInTurnMs = median(times.inTurn);
  const bareSideBySideMs = bare.sideBySide && median(times.sideBySide);
  const batchOfTenMs = median(times.batch);
  return {
    networksPerFilm: bare.count,
    bareMs: Math.min(bareInTurnMs, bareSideBySideMs ?? Infinity),
    bareInTurnMs,
    bareSideBySideMs,
    decodeMs: median(times.decode),
    wholeMs: median(times.whole),
    batchOfTenMs,
    filmsPerSecond: 10_000 / batchOfTenMs,
  };
}

async function measureFilm(engine: Engine, film: Buffer): Promise<void> {
  await engine.measure(await decodeImage(film));
}

/** Ten films, as many under way at a time as the service has. */
async function measurePipelined(engine: Engine, films: readonly Buffer[]): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < 10) await measureFilm(engine, films[next++ % films.length] as Buffer);
  };
  await Promise.all(Array.from({ length: filmsUnderWay }, lane));
}
