import { median } from "../../core/cardiac/vertebral-ruler.ts";
import { decodeImage } from "../imaging/decode-image.ts";
import { discoverPacks } from "../inference/discover-packs.ts";
import { createEngine, type Engine } from "../inference/engine.ts";
import { goldenInput } from "../inference/golden-input.ts";
import { loadPack, type LoadedPack } from "../inference/loaded-pack.ts";
import type { NetworkManifest } from "../inference/pack-manifest.ts";
import { programVersion } from "../program.ts";
import { filmsUnderWay } from "../services/work-queue.ts";
import { timedMs } from "./quantiles.ts";

export type InProcessFigures = {
  /** Networks that run for every direct film: gate, locator on film and mirror image, members. Corrected poses bring up to two more. */
  readonly networksPerFilm: number;
  readonly bareMs: number;
  readonly decodeMs: number;
  readonly wholeMs: number;
  readonly batchOfTenMs: number;
  readonly filmsPerSecond: number;
};

/** The networks alone, then everything around them, on the same films in the same process. */
export async function benchInProcess(films: readonly Buffer[], packFolder: string, runs: number): Promise<InProcessFigures> {
  const bare = await benchBare(packFolder, runs);
  const engine = await createEngine({ packFolders: [packFolder], programVersion, log: { warn: () => undefined, error: () => undefined } });
  try {
    await measureFilm(engine, films[0] as Buffer);
    const decode: number[] = [];
    const whole: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const film = films[run % films.length] as Buffer;
      decode.push(await timedMs(() => decodeImage(film)));
      whole.push(await timedMs(() => measureFilm(engine, film)));
    }
    const batches: number[] = [];
    for (let batch = 0; batch < 3; batch += 1) batches.push(await timedMs(() => measurePipelined(engine, films)));
    const batchOfTenMs = median(batches);
    return { ...bare, decodeMs: median(decode), wholeMs: median(whole), batchOfTenMs, filmsPerSecond: 10_000 / batchOfTenMs };
  } finally {
    await engine.close();
  }
}

async function benchBare(packFolder: string, runs: number): Promise<Pick<InProcessFigures, "bareMs" | "networksPerFilm">> {
  const manifests = discoverPacks([packFolder]).packs.filter(({ manifest }) => manifest.kind === "landmarks" || manifest.kind === "gate");
  const packs: LoadedPack[] = [];
  for (const { folder, manifest } of manifests) packs.push(await loadPack(folder, manifest as NetworkManifest));
  const networks = packs.flatMap(({ members, locator, manifest }) => {
    const input = goldenInput(1, manifest.input.shape);
    return [...(locator ? [locator, locator] : []), ...members].map((network) => () => network.run(input));
  });
  const film = async () => {
    for (const run of networks) await run();
  };
  await film();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await timedMs(film));
  for (const pack of packs) await pack.release();
  return { bareMs: median(times), networksPerFilm: networks.length };
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
