import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadUsgPacks } from "../../../main/inference/packs/usg-pack.ts";
import { modelDocument, stump } from "../../core/usg/random-model.ts";
import { writePack } from "../../main/server/service/usg-server.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const packsDir = folderForEach();

const model = JSON.stringify(modelDocument([stump(0.5)]));
const decoding = { thresholdImpaired: 0.3496, sgCutoff: 1.035 };
const row = [28, 1.6, 12.4, 2100, null];

function loaded(changes: object, text = model) {
  writePack(path.join(packsDir(), "vendor"), text, changes);
  const { active, packs } = loadUsgPacks([packsDir()]);
  expect(active === null).toBe(packs[0]?.state === "refused");
  return packs.map(({ state, reason }) => `${state}: ${reason}`).join();
}

describe("a vendor's pack", () => {
  it("loads with only a model and a threshold", () => {
    expect(loaded({})).toBe("active: null");
  });
  it("is checked against its golden rows, including missing values", () => {
    expect(loaded({ golden: { rows: [row], logOdds: [0.5], tolerance: 1e-6 } })).toBe("active: null");
    expect(loaded({ golden: { rows: [row], logOdds: [0.51], tolerance: 1e-6 } })).toBe(
      "refused: golden row 0 gives log-odds 0.5, not 0.51",
    );
  });
  it("provides its threshold and cutoff", () => {
    loaded({ decoding: { thresholdImpaired: 0.5, sgCutoff: 1.03 } });
    expect(loadUsgPacks([packsDir()]).active?.model).toMatchObject({ thresholdImpaired: 0.5, sgCutoff: 1.03 });
  });
});

describe("a pack is refused with the reason for", () => {
  it.each<[string, object, RegExp]>([
    [
      "a threshold outside the two middle tiers",
      { decoding: { ...decoding, thresholdImpaired: 0.8 } },
      /thresholdImpaired/,
    ],
    ["no threshold", { decoding: { sgCutoff: 1.035 } }, /thresholdImpaired/],
    ["a cutoff that is not a specific gravity", { decoding: { ...decoding, sgCutoff: 35 } }, /sgCutoff/],
    ["golden rows of another width", { golden: { rows: [[1]], logOdds: [0], tolerance: 0.01 } }, /golden/],
    ["golden rows without values", { golden: { rows: [row, row], logOdds: [0], tolerance: 0.01 } }, /golden/],
    ["a model with another checksum", { members: [{ file: "model.json", sha256: "0".repeat(64) }] }, /sha256/],
    ["two models", { members: [1, 2].map(() => ({ file: "model.json", sha256: "0".repeat(64) })) }, /one model/],
    [
      "a model that is missing",
      { members: [{ file: "other.json", sha256: "0".repeat(64) }] },
      /other\.json is missing/,
    ],
  ])("%s", (_case, changes, reason) => {
    expect(loaded(changes)).toMatch(reason);
  });
  it.each([
    ["invalid JSON", "{"],
    ["JSON of another kind", "[]"],
    ["a truncated model", model.slice(0, -9)],
  ])("%s", (_case, text) => {
    expect(loaded({}, text)).toMatch(/^refused: /);
  });
  it("an invalid manifest", () => {
    loaded({});
    writeFileSync(path.join(packsDir(), "vendor", "manifest.json"), "[]");
    expect(loadUsgPacks([packsDir()]).active).toBeNull();
  });
});
