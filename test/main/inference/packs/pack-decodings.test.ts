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
    members: [{}, {}],
    decoding: { ...decoding, ...changes },
    input: { name: "image", dtype: "float32", shape: [1, 1, 352, 352] },
    outputs: [
      { name: "points", dtype: "float32", shape: [1, 15, 2] },
      { name: "sharpness", dtype: "float32", shape: [1, 15] },
      { name: "maps", dtype: "float32", shape: [1, 24, 88, 88] },
    ],
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
  ["vertebrae from caudal to cranial", { vertebrae: [...decoding.vertebrae].reverse() }, "must follow each other"],
  ["T1 behind T12", { vertebrae: [...decoding.vertebrae, "T1"] }, "must follow each other"],
  [
    "vertebrae with a gap",
    { vertebrae: ["T2", ...decoding.vertebrae.filter((name) => name !== "T5")] },
    "must follow each other from cranial to caudal",
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

it.each([
  ["cells of another size", { stride: 8 }, "maps must have the shape [1, 24, 44, 44]"],
  ["more vertebrae", { vertebrae: ["T2", ...decoding.vertebrae] }, "points must have the shape [1, 16, 2]"],
])("refuses a network whose outputs were made for %s", (_, changes, reason) => {
  expect(() => decodingOf(manifestWith(changes))).toThrow(
    expect.objectContaining({ code: "PACK_REFUSED", message: expect.stringContaining(reason) as string }),
  );
});

it("refuses a single network for films, because it has no spread, but not for photographs", () => {
  const alone = { ...manifestWith({}), members: [{}] };
  expect(() => decodingOf(alone as ManifestOf<"landmarks">)).toThrow("members: 2 networks or more must vote");
  expect(decodingOf({ ...alone, kind: "landmarks-pop" } as ManifestOf<"landmarks-pop">)).toEqual(decoding);
});

it("refuses a network without an output that is read", () => {
  const { outputs, ...manifest } = manifestWith({});
  const without = { ...manifest, outputs: outputs.filter(({ name }) => name !== "sharpness") };
  expect(() => decodingOf(without)).toThrow("outputs: sharpness is missing");
});

const colours = (side: number) => ({ name: "image", dtype: "float32", shape: [1, 3, side, side] });

it("refuses a gate with more outputs than kinds, and a corner network without eight maps", () => {
  const gate = (count: number) =>
    ({
      kind: "gate",
      decoding: { kinds: ["direct", "pop", "neither"], rejectAtOrAbove: 0.5 },
      input: colours(192),
      outputs: [{ name: "probabilities", dtype: "float32", shape: [1, count] }],
    }) as ManifestOf<"gate">;
  expect(decodingOf(gate(3)).kinds).toHaveLength(3);
  expect(() => decodingOf(gate(4))).toThrow("probabilities must have the shape [1, 3]");
  const rules = { stridePx: 4, refineCells: 2, minimumEvidence: 0.3, minimumAreaFraction: 0.1, secondLookFill: 0.8 };
  const corners = (maps: number) =>
    ({
      kind: "corners",
      decoding: rules,
      input: colours(256),
      outputs: [{ name: "heatmaps", dtype: "float32", shape: [1, maps, 64, 64] }],
    }) as ManifestOf<"corners">;
  expect(decodingOf(corners(8))).toEqual(rules);
  expect(() => decodingOf(corners(4))).toThrow("heatmaps must have the shape [1, 8, 64, 64]");
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
