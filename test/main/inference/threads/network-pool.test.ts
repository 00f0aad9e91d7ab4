import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { goldenInput } from "../../../../main/inference/threads/golden-input.ts";
import { discoverPacks, type FoundPack } from "../../../../main/inference/packs/discover-packs.ts";
import type { NetworkCall } from "../../../../main/inference/threads/network-calls.ts";
import { startNetworkPool, type NetworkPool } from "../../../../main/inference/threads/network-pool.ts";
import type { NetworkManifest } from "../../../../main/inference/packs/pack-manifest.ts";

const packFolder = fileURLToPath(new URL("../../../../models/packs", import.meta.url));
const { folder, manifest } = discoverPacks([packFolder]).packs.find(
  (pack) => pack.manifest.kind === "gate",
) as FoundPack & { manifest: NetworkManifest };
const input = goldenInput(1, manifest.input.shape);
const kindCount = manifest.outputs[0]?.shape.at(-1) as number;

let pool: NetworkPool;
beforeAll(async () => {
  pool = startNetworkPool();
  await pool.everywhere("load", { folder, manifest });
  await pool.complete([{ folder, manifest }]);
});
afterAll(() => pool.close());

const askGate = (call: NetworkCall) => call("run", { kind: "gate", input });

it("runs the older film's calls before waiting calls of a later one", async () => {
  // A single thread answers in the order of its calls; of two, either may be delayed.
  const single = startNetworkPool(1);
  try {
    await single.everywhere("load", { folder, manifest });
    const [older, later] = [single.forFilm(1), single.forFilm(2)];
    const done: string[] = [];
    const ask = async (call: NetworkCall, name: string) => {
      await askGate(call);
      done.push(name);
    };
    await Promise.all([
      ask(later, "later"),
      ask(later, "later"),
      ask(later, "later"),
      ask(older, "older"),
      ask(older, "older"),
    ]);
    // The first call of the later film had started before those of the older film.
    expect(done).toEqual(["later", "older", "older", "later", "later"]);
  } finally {
    await single.close();
  }
});

it("loads the pack in every thread, and returns the same output in each", async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => askGate(pool.forFilm(0))));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]?.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
});

it("keeps measuring with the first thread if the second refuses a pack", async () => {
  const partial = startNetworkPool(2);
  try {
    await partial.everywhere("load", { folder, manifest });
    const broken = { folder: path.join(folder, "missing"), manifest };
    await expect(partial.complete([broken])).rejects.toMatchObject({ code: "PACK_REFUSED" });
    expect(partial.fault()).toBeNull();
    expect(await askGate(partial.forFilm(0))).toHaveLength(kindCount);
  } finally {
    await partial.close();
  }
});

it("drops only the waiting calls of a client that has disconnected", async () => {
  const leaver = new AbortController();
  const [gone, stays] = [pool.forFilm(1, leaver.signal), pool.forFilm(2)];
  const abandoned = Promise.allSettled(Array.from({ length: 6 }, () => askGate(gone)));
  const kept = askGate(stays);
  leaver.abort();
  const outcomes = await abandoned;
  expect(outcomes.at(-1)).toMatchObject({ status: "rejected", reason: { code: "ABORTED" } });
  expect(await kept).toHaveLength(kindCount);
});

it("reports errors of a thread with their stack, and continues", async () => {
  const call = pool.forFilm(0);
  await expect(call("run", { kind: "gate", input: input.subarray(1) })).rejects.toMatchObject({
    stack: expect.stringContaining("network-session") as string,
  });
  expect(await askGate(call)).toHaveLength(kindCount);
});
