import { expect, it } from "vitest";
import { heartLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import { decodingOf } from "../../../../main/inference/packs/pack-decodings.ts";
import type { ManifestOf } from "../../../../main/inference/packs/pack-manifest.ts";

const decoding = {
  heartPoints: [...heartLandmarkNames],
  vertebrae: ["T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12"],
  stride: 4,
  crop: { vertebrae: 16, centreVentralOfT8: 4, memberViews: [{ turnDeg: 0, scale: 1 }] },
  sharpnessHigh: 0.7,
};
const manifestWith = (changes: object) =>
  ({
    kind: "landmarks",
    decoding: { ...decoding, ...changes },
    outputs: [{ name: "maps", dtype: "float32", shape: [1, 24, 88, 88] }],
  }) as ManifestOf<"landmarks">;

it("gives a pack's constants, the same ones whenever it is asked", () => {
  const manifest = manifestWith({});
  expect(decodingOf(manifest)).toEqual(decoding);
  expect(decodingOf(manifest)).toBe(decodingOf(manifest));
});

it("takes one of the maps for the silhouette, or none", () => {
  expect(decodingOf(manifestWith({ silhouette: { map: 23 } })).silhouette).toEqual({ map: 23 });
  expect(decodingOf(manifestWith({})).silhouette).toBeUndefined();
});

it.each([
  ["a silhouette in a map that is not there", { silhouette: { map: 24 } }, "there is no map 24 of 24"],
  [
    "vertebrae without one that the measurement rests on",
    { vertebrae: ["T3", "T4", "T12"] },
    "T3, T4, T8, T12 must be among them",
  ],
  [
    "the heart's points in another order",
    { heartPoints: [...heartLandmarkNames].reverse() },
    "must be heart_top, heart_bottom, heart_right, heart_left, VLAS",
  ],
  ["no views", { crop: { ...decoding.crop, memberViews: [] } }, "memberViews"],
])("refuses %s", (_, changes, reason) => {
  expect(() => decodingOf(manifestWith(changes))).toThrow(
    expect.objectContaining({ code: "PACK_REFUSED", message: expect.stringContaining(reason) as string }),
  );
});

it("refuses a network for the column that names other vertebrae", () => {
  const column = (count: number) =>
    ({
      ...manifestWith({}),
      column: { outputs: [{ name: "lengths" }, { name: "names", shape: [1, count, 128] }] },
    }) as ManifestOf<"landmarks">;
  expect(decodingOf(column(10))).toEqual(decoding);
  expect(() => decodingOf(column(17))).toThrow(/column\.outputs: names must have a row for each of the 10 vertebrae/);
});
