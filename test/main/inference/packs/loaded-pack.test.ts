import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { discoverPacks } from "../../../../main/inference/packs/discover-packs.ts";
import { goldenInput } from "../../../../main/inference/threads/golden-input.ts";
import { loadPack } from "../../../../main/inference/packs/loaded-pack.ts";
import type { ManifestOf, NetworkManifest } from "../../../../main/inference/packs/pack-manifest.ts";

const packFolder = fileURLToPath(new URL("../../../../models/packs", import.meta.url));
/** The packs with one member each, since all members of a pack have the same architecture. */
const packs = discoverPacks([packFolder]).packs.flatMap(({ folder, manifest }) =>
  manifest.kind === "usg" ? [] : [{ folder, manifest: { ...manifest, members: manifest.members.slice(0, 1) } }],
);

/** Each output as one text, since comparing a million numbers one by one takes seconds. */
const bytesOf = (outputs?: ReadonlyMap<string, Float32Array>) =>
  [...(outputs ?? [])].map(([name, values]) => [name, Buffer.from(values.buffer).toString("latin1")]);

const folderOf = (kind: string) => {
  const { folder, manifest } = packs.find((pack) => pack.manifest.kind === kind)!;
  return [folder, manifest] as const;
};

it("opens a file shared by two packs once, and keeps it until both are released", async () => {
  const cores = { shared: 1, alone: 1 };
  const films = await loadPack(...folderOf("landmarks"), cores);
  const [folder, manifest] = folderOf("landmarks-pop");
  const { heart } = manifest as ManifestOf<"landmarks-pop">;
  const outputs = heart!.golden.outputs.map((output) => ({
    ...output,
    values: output.values.map((value) => value + 1),
  }));
  const other = { ...manifest, heart: { ...heart!, golden: { ...heart!.golden, outputs } } } as NetworkManifest;
  await expect(loadPack(folder, other, cores)).rejects.toThrow(/golden input does not give/);
  const photographs = await loadPack(folder, manifest, cores);
  const input = goldenInput(7, photographs.manifest.input.shape);
  try {
    const before = bytesOf(await films.locator?.run(input));
    await films.release();
    expect(bytesOf(await photographs.locator?.run(input))).toEqual(before);
  } finally {
    await photographs.release();
  }
  await expect(photographs.locator?.run(input)).rejects.toThrow();
});

// The networks for photographs have the architecture of those for films.
const ofOtherShapes = packs.filter(({ manifest }) => manifest.kind !== "landmarks-pop");

it.each(ofOtherShapes.map(({ folder, manifest }) => [manifest.kind, folder, manifest] as const))(
  "returns the same values on two cores as on one: %s",
  async (_, folder, manifest) => {
    const onOne = await loadPack(folder, manifest, { shared: 1, alone: 1 });
    const onTwo = await loadPack(folder, manifest, { shared: 2, alone: 2 });
    try {
      const input = goldenInput(7, manifest.input.shape);
      for (const [index, network] of onOne.members.entries())
        expect(bytesOf(await onTwo.members[index]?.run(input))).toEqual(bytesOf(await network.run(input)));
      for (const name of ["column", "heart"] as const) {
        const seen = onOne[name] && goldenInput(7, onOne[name].manifest.input.shape);
        if (seen)
          expect(bytesOf(await onTwo[name]?.network.run(seen))).toEqual(bytesOf(await onOne[name]?.network.run(seen)));
      }
    } finally {
      await onOne.release();
      await onTwo.release();
    }
  },
);
