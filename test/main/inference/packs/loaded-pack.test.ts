import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { discoverPacks } from "../../../../main/inference/packs/discover-packs.ts";
import { goldenInput } from "../../../../main/inference/packs/golden-input.ts";
import { loadPack } from "../../../../main/inference/packs/loaded-pack.ts";
import type { NetworkManifest } from "../../../../main/inference/packs/pack-manifest.ts";

const packFolder = fileURLToPath(new URL("../../../../models/packs", import.meta.url));
const packs = discoverPacks([packFolder]).packs.filter(({ manifest }) => manifest.kind !== "usg");

/** One text for each output: comparing a million numbers one by one takes seconds. */
const bytesOf = (outputs?: ReadonlyMap<string, Float32Array>) =>
  [...(outputs ?? [])].map(([name, values]) => [name, Buffer.from(values.buffer).toString("latin1")]);

it.each(packs.map(({ folder, manifest }) => [manifest.kind, folder, manifest as NetworkManifest] as const))(
  "gives the same values on two cores as on one: %s",
  async (_, folder, manifest) => {
    const onOne = await loadPack(folder, manifest, { shared: 1, alone: 1 });
    const onTwo = await loadPack(folder, manifest, { shared: 2, alone: 2 });
    try {
      const input = goldenInput(7, manifest.input.shape);
      for (const [index, network] of onOne.members.entries())
        expect(bytesOf(await onTwo.members[index]?.run(input))).toEqual(bytesOf(await network.run(input)));
      const strip = onOne.column && goldenInput(7, onOne.column.manifest.input.shape);
      if (strip)
        expect(bytesOf(await onTwo.column?.network.run(strip))).toEqual(
          bytesOf(await onOne.column?.network.run(strip)),
        );
    } finally {
      await onOne.release();
      await onTwo.release();
    }
  },
);
