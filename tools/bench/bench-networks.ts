import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { median } from "../../core/median.ts";
import { decodeImage } from "../../main/imaging/decode-image.ts";
import { createEngine, type Engine } from "../../main/inference/engine.ts";
import { discoverPacks, type FoundPack } from "../../main/inference/packs/discover-packs.ts";
import { goldenInput } from "../../main/inference/threads/golden-input.ts";
import { loadPack, type LoadedPack } from "../../main/inference/packs/loaded-pack.ts";
import type { NetworkManifest } from "../../main/inference/packs/pack-manifest.ts";
import type { NetworkSession } from "../../main/inference/threads/network-session.ts";
import { programVersion } from "../../main/program.ts";
import { concurrentFilms } from "../../main/services/measuring/work-queue.ts";
import { timedMs } from "../quantiles.ts";

/** Number of members that measure crops of the film and of its mirror image, twice each. */
const sides = 2;

/** Opens the networks of one film for inference without any other processing, in two configurations. */
async function openBareNetworks(packFolder: string) {
  const cores = Math.min(2, availableParallelism());
  const { runs, release } = await networkRuns(packFolder, cores);
  const threads = cores > 1 ? await startThreads(packFolder) : [];
  return {
    /**
     * Gate, locator on film and mirror image, two crops of each, all members, and the networks of column and heart.
     */
    count: runs.length,
    /** Each network on up to two cores. */
    inTurn: async () => {
      for (const run of runs) await run();
    },
    /** Each network on one core; null with a single core. */
    sideBySide: threads.length === 0 ? null : async () => void (await Promise.all(threads.map(runOnThread))),
    async close() {
      await release();
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** The network runs of a direct film on the golden input, in the order of the service. */
async function networkRuns(
  packFolder: string,
  coresPerNetwork: number,
): Promise<{ readonly runs: readonly (() => Promise<unknown>)[]; readonly release: () => Promise<void> }> {
  const found = discoverPacks([packFolder]).packs.filter(
    ({ manifest }) => manifest.kind === "landmarks" || manifest.kind === "gate",
  );
  const packs: LoadedPack[] = [];
  for (const { folder, manifest } of gateFirst(found))
    packs.push(
      await loadPack(folder, manifest as NetworkManifest, { shared: coresPerNetwork, alone: coresPerNetwork }),
    );
  const runs = packs.flatMap(({ members, locator, column, heart, manifest }) => {
    const input = goldenInput(1, manifest.input.shape);
    const on = (networks: readonly NetworkSession[]) => networks.map((network) => () => network.run(input));
    const close = manifest.kind === "landmarks" ? members.slice(0, sides) : [];
    const further = [column, heart].filter((loaded) => loaded !== null);
    return [
      ...on(locator ? [locator, locator] : []),
      ...on([...close, ...close, ...members]),
      ...further.map(({ network, manifest: { input } }) => {
        const seen = goldenInput(1, input.shape);
        return () => network.run(seen);
      }),
    ];
  });
  return {
    runs,
    async release() {
      for (const pack of packs) await pack.release();
    },
  };
}

function gateFirst(packs: readonly FoundPack[]): readonly FoundPack[] {
  return [...packs].sort((a, b) => Number(b.manifest.kind === "gate") - Number(a.manifest.kind === "gate"));
}

/** Starts two threads of this file, each of which runs every other network. */
function startThreads(packFolder: string): Promise<Worker[]> {
  return Promise.all(
    [0, 1].map(async (parity) => {
      const thread = new Worker(new URL(import.meta.url), {
        workerData: { packFolder, parity },
      });
      await once(thread, "message");
      return thread;
    }),
  );
}

async function runOnThread(thread: Worker): Promise<void> {
  const done = once(thread, "message");
  thread.postMessage("run");
  await done;
}

/** Single films per batch of ten; alternating makes both comparable with the bare networks. */
const filmsPerBatch = 2;

/** Measures bare networks and whole measurements alternately, on the same films in the same process. */
export async function benchInProcess(films: readonly Buffer[], packFolder: string, runs: number) {
  const ten = Array.from({ length: 10 }, (_, index) => films[index % films.length] as Buffer);
  const bare = await openBareNetworks(packFolder);
  const engine = await createEngine({
    packFolders: [packFolder],
    programVersion,
    log: { warn: () => undefined, error: () => undefined },
  });
  const inTurn: number[] = [];
  const sideBySide: number[] = [];
  const decode: number[] = [];
  const whole: number[] = [];
  const batch: number[] = [];
  try {
    await measurePipelined(engine, ten);
    for (let run = 0; run < runs; run += 1) {
      const film = films[run % films.length] as Buffer;
      inTurn.push(await timedMs(bare.inTurn));
      if (bare.sideBySide) sideBySide.push(await timedMs(bare.sideBySide));
      decode.push(await timedMs(() => decodeImage(film)));
      whole.push(await timedMs(() => measureFilm(engine, film)));
      if (run % filmsPerBatch === 0) batch.push(await timedMs(() => measurePipelined(engine, ten)));
    }
  } finally {
    await engine.close();
    await bare.close();
  }
  const bareInTurnMs = median(inTurn);
  const bareSideBySideMs = sideBySide.length > 0 ? median(sideBySide) : null;
  const batchOfTenMs = median(batch);
  return {
    networksPerFilm: bare.count,
    /** The faster of the two ways to run the networks of one film. */
    bareMs: Math.min(bareInTurnMs, bareSideBySideMs ?? Infinity),
    bareInTurnMs,
    /** null with a single core. */
    bareSideBySideMs,
    decodeMs: median(decode),
    wholeMs: median(whole),
    batchOfTenMs,
    filmsPerSecond: 10_000 / batchOfTenMs,
  };
}

async function measureFilm(engine: Engine, film: Buffer): Promise<void> {
  await engine.measure(await decodeImage(film));
}

async function measurePipelined(engine: Engine, films: readonly Buffer[]): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < films.length) await measureFilm(engine, films[next++] as Buffer);
  };
  await Promise.all(Array.from({ length: concurrentFilms }, lane));
}

/** Runs in a worker thread. Reports when it is ready and whenever its share of the runs is done. */
async function serveRuns(): Promise<void> {
  const { packFolder, parity } = workerData as { readonly packFolder: string; readonly parity: number };
  const { runs } = await networkRuns(packFolder, 1);
  const runShare = async () => {
    for (let number = parity; number < runs.length; number += 2) await runs[number]?.();
    parentPort?.postMessage("done");
  };
  parentPort?.on("message", () => void runShare());
  parentPort?.postMessage("ready");
}

if (!isMainThread) await serveRuns();
