import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { discoverPacks, type FoundPack } from "../../main/inference/packs/discover-packs.ts";
import { goldenInput } from "../../main/inference/packs/golden-input.ts";
import { loadPack, type LoadedPack } from "../../main/inference/packs/loaded-pack.ts";
import type { NetworkSession } from "../../main/inference/threads/network-session.ts";
import type { NetworkManifest } from "../../main/inference/packs/pack-manifest.ts";

/** The networks of one film and nothing around them. */
export type BareNetworks = {
  /**
   * How many run for every direct film: gate, locator on film and mirror image, two closer looks at each, members, and
   * the networks of column and heart.
   */
  readonly leastCount: number;
  /** One after the other, each on two cores where there are two. */
  inTurn(count?: number): Promise<void>;
  /** On one core each, two side by side; null where there is one core only. */
  readonly sideBySide: ((count?: number) => Promise<void>) | null;
  close(): Promise<void>;
};

/** The members that look closer at the film and at its mirror image, twice each. */
const sides = 2;
/** Where the column is doubtful, they look at two other sizes, too. */
const mostLooksAgain = 2 * sides;

/**
 * Opens the networks in every way that is known to be fast, so that the fastest can stand for all: other work is
 * measured against it. A film runs at least `leastCount` of them, which is what no count means, and up to
 * `mostLooksAgain` more.
 */
export async function openBareNetworks(packFolder: string): Promise<BareNetworks> {
  const cores = Math.min(2, availableParallelism());
  const { runs, release } = await networkRuns(packFolder, cores);
  const leastCount = runs.length - mostLooksAgain;
  const threads = cores > 1 ? await startThreads(packFolder) : [];
  return {
    leastCount,
    async inTurn(count = leastCount) {
      for (const run of runs.slice(0, count)) await run();
    },
    sideBySide:
      threads.length === 0
        ? null
        : async (count = leastCount) => void (await Promise.all(threads.map((thread) => runOnThread(thread, count)))),
    async close() {
      await release();
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** The runs of one film in the order of the service, on the golden input, those that only some films need last. */
export async function networkRuns(
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
      ...on([...close, ...close]),
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

/** Two threads that take every other network: the gate, which is small, stands in for half of the odd one. */
function startThreads(packFolder: string): Promise<Worker[]> {
  return Promise.all(
    [0, 1].map(async (parity) => {
      const thread = new Worker(new URL("./bench-bare-thread.ts", import.meta.url), {
        workerData: { packFolder, parity },
      });
      await once(thread, "message");
      return thread;
    }),
  );
}

async function runOnThread(thread: Worker, count: number): Promise<void> {
  const done = once(thread, "message");
  thread.postMessage(count);
  await done;
}
