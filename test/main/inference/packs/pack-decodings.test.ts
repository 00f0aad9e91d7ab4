import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { heartLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import { parseManifest } from "../../../../main/inference/packs/discover-packs.ts";

const tinyGate = new URL("../../../fixtures/packs/tiny-gate/manifest.json", import.meta.url);
const common = JSON.parse(readFileSync(tinyGate, "utf8")) as { members: object[] };
const parsed = (manifest: object) => parseManifest(JSON.stringify(manifest));
const refusal = (reason: string) =>
  expect.objectContaining({ code: "PACK_REFUSED", message: expect.stringContaining(reason) as string }) as Error;

const decoding = {
  heartPoints: [...heartLandmarkNames],
  vertebrae: ["T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12"],
  stride: 4,
  crop: { vertebrae: 16, centreVentralOfT8: 4, memberViews: [{ turnDeg: 0, scale: 1 }] },
  sharpnessHigh: 0.7,
};
const tensor = (name: string, ...shape: number[]) => ({ name, dtype: "float32", shape });
const manifestWith = (changes: object) => ({
  ...common,
  kind: "landmarks",
  members: [...common.members, ...common.members],
  decoding: { ...decoding, ...changes },
  input: tensor("image", 1, 1, 352, 352),
  outputs: [tensor("points", 1, 15, 2), tensor("sharpness", 1, 15), tensor("maps", 1, 24, 88, 88)],
});

it("accepts one of the maps as the silhouette, or none", () => {
  expect(parsed(manifestWith({})).decoding).toEqual(decoding);
  expect(parsed(manifestWith({ silhouette: { map: 23 } })).decoding).toEqual({ ...decoding, silhouette: { map: 23 } });
});

it.each([
  ["a silhouette in a missing map", { silhouette: { map: 24 } }, "there is no map 24 of 24"],
  ["vertebrae without a required one", { vertebrae: ["T3", "T4", "T12"] }, "T3, T4, T8, T12 must be among them"],
  ["vertebrae from caudal to cranial", { vertebrae: [...decoding.vertebrae].reverse() }, "must be consecutive"],
  ["T1 after T12", { vertebrae: [...decoding.vertebrae, "T1"] }, "must be consecutive"],
  [
    "vertebrae with a gap",
    { vertebrae: ["T2", ...decoding.vertebrae.filter((name) => name !== "T5")] },
    "must be consecutive from cranial to caudal",
  ],
  [
    "the heart's points in another order",
    { heartPoints: [...heartLandmarkNames].reverse() },
    "must be heart_top, heart_bottom, heart_right, heart_left, VLAS",
  ],
  ["no views", { crop: { ...decoding.crop, memberViews: [] } }, "memberViews"],
])("refuses %s", (_, changes, reason) => {
  expect(() => parsed(manifestWith(changes))).toThrow(refusal(reason));
});

it.each([
  ["cells of another size", { stride: 8 }, "maps must have the shape [1, 24, 44, 44]"],
  ["more vertebrae", { vertebrae: ["T2", ...decoding.vertebrae] }, "points must have the shape [1, 16, 2]"],
])("refuses a network whose outputs are for %s", (_, changes, reason) => {
  expect(() => parsed(manifestWith(changes))).toThrow(refusal(reason));
});

it("refuses a single network for films, because it has no spread, but not for photographs", () => {
  const alone = { ...manifestWith({}), members: common.members };
  expect(() => parsed(alone)).toThrow(
    refusal("at least 2 networks must vote, since the spread of fewer is unknown   → at members"),
  );
  expect(parsed({ ...alone, kind: "landmarks-pop" }).decoding).toEqual(decoding);
});

it("refuses a network without a required output", () => {
  const { outputs, ...manifest } = manifestWith({});
  const without = { ...manifest, outputs: outputs.filter(({ name }) => name !== "sharpness") };
  expect(() => parsed(without)).toThrow(refusal("sharpness is missing   → at outputs"));
});

it("refuses a network whose input is in colour or not square", () => {
  const manifest = manifestWith({});
  expect(() => parsed({ ...manifest, input: tensor("image", 1, 3, 352, 352) })).toThrow(
    refusal("image must have the shape [1, 1, 352, 352]"),
  );
  expect(() => parsed({ ...manifest, input: tensor("image", 1, 1, 320, 352) })).toThrow(
    refusal("image must have the shape [1, 1, 352, 352]"),
  );
});

it("refuses a gate with repeated kinds or more outputs than kinds, and a corner network without eight maps", () => {
  const gate = (count: number, ...further: string[]) => ({
    ...common,
    kind: "gate",
    decoding: { kinds: ["direct", "pop", "neither", ...further], rejectAtOrAbove: 0.5 },
    input: tensor("image", 1, 3, 192, 192),
    outputs: [tensor("probabilities", 1, count)],
  });
  expect(parsed(gate(3)).decoding).toMatchObject({ kinds: ["direct", "pop", "neither"] });
  expect(() => parsed(gate(4))).toThrow(refusal("probabilities must have the shape [1, 3]"));
  expect(() => parsed(gate(4, "pop"))).toThrow(refusal("kinds must be unique"));
  const rules = { stridePx: 4, refineCells: 2, minimumEvidence: 0.3, minimumAreaFraction: 0.1, secondLookFill: 0.8 };
  const corners = (maps: number) => ({
    ...common,
    kind: "corners",
    decoding: rules,
    input: tensor("image", 1, 3, 256, 256),
    outputs: [tensor("heatmaps", 1, maps, 64, 64)],
  });
  expect(parsed(corners(8)).decoding).toEqual(rules);
  expect(() => parsed(corners(4))).toThrow(refusal("heatmaps must have the shape [1, 8, 64, 64]"));
});

it("refuses a column network with other vertebrae", () => {
  const column = (count: number) => ({
    ...manifestWith({}),
    column: {
      ...common.members[0],
      input: tensor("strip", 1, 1, 64, 512),
      outputs: [tensor("lengths", 2, 128), tensor("names", 1, count, 128)],
      golden: { inputSeed: 1, outputs: [{ name: "lengths", values: [1], tolerance: 0.1 }] },
      vertebraPx: 32,
    },
  });
  expect(parsed(column(10)).decoding).toEqual(decoding);
  expect(() => parsed(column(17))).toThrow(
    refusal("names must have a row for each of 10 vertebrae   → at column.outputs"),
  );
});
