import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rejectFilm } from "../../../../main/inference/screens/colour-networks.ts";
import type { NetworkCall } from "../../../../main/inference/threads/network-calls.ts";
import type { ManifestOf } from "../../../../main/inference/packs/pack-manifest.ts";
import { imageLevels } from "../../../../main/inference/views/sample-frame.ts";

const manifest = JSON.parse(
  readFileSync(new URL("../../../../models/packs/gate-corvet/manifest.json", import.meta.url), "utf8"),
) as ManifestOf<"gate">;
const film = imageLevels({ grey: new Uint8Array(64 * 48).fill(90), widthPx: 64, heightPx: 48 });

const networksSaying = (neither: number): { readonly call: NetworkCall } => ({
  call: (() => Promise.resolve(new Float32Array([1 - neither, 0, neither]))) as NetworkCall,
});

const withLimit = (rejectRectifiedAtOrAbove?: number) =>
  ({
    ...manifest,
    outputs: [{ ...manifest.outputs[0], shape: [1, 3] }],
    decoding: { kinds: ["direct", "pop", "neither"], rejectAtOrAbove: 0.5, rejectRectifiedAtOrAbove },
  }) as ManifestOf<"gate">;

describe("a film cut out of a photograph", () => {
  it("is rejected at the pack's limit", async () => {
    expect(await rejectFilm(networksSaying(0.875).call, withLimit(0.875), film)).toMatchObject({
      kind: "neither",
      confidence: 0.875,
    });
    expect(await rejectFilm(networksSaying(0.75).call, withLimit(0.875), film)).toBeNull();
  });

  it("is judged by the general limit if the pack has none for it", async () => {
    expect(await rejectFilm(networksSaying(0.5).call, withLimit(), film)).toMatchObject({ kind: "neither" });
    expect(await rejectFilm(networksSaying(0.25).call, withLimit(), film)).toBeNull();
  });
});
