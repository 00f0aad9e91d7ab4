import { describe, expect, it } from "vitest";
import {
  catStagingLines,
  dogStagingLines,
  type StagingLine,
  type StagingValues,
} from "../../../../core/cardiac/findings/staging-aid.ts";
import { referenceRangeFor } from "../../../../core/cardiac/reference/reference-ranges.ts";
import { breedLimitOf, stageB2 } from "../../../../core/cardiac/findings/stage-b2.ts";

const none: StagingValues = { vhs: null, vlas: null, rlad: null, ntProBnp: null };
const dog = { breedLimit: null, isCavalier: false };
const zones = (values: Partial<StagingValues>, of: Parameters<typeof dogStagingLines>[1] = dog) =>
  dogStagingLines({ ...none, ...values }, of).map(({ measure, zone }) => [measure, zone]);
const figures = (cutoff: StagingLine["low"]) => cutoff && [cutoff.at, cutoff.sensitivity, cutoff.specificity];

describe("the staging aid", () => {
  it("applies both published limits of the left atrium to the displayed value", () => {
    expect([2.44, 2.46, 2.96, 3.06].map((vlas) => zones({ vlas }).map(([, zone]) => zone))).toEqual([
      ["ruleOut", "grey"],
      ["grey", "grey"],
      ["grey", "ruleIn"],
      ["ruleIn", "ruleIn"],
    ]);
  });

  it("has no grey zone for the RLAD, whose single limit rules both in and out", () => {
    expect([1.7, 1.8].map((rlad) => zones({ rlad }))).toEqual([[["rlad", "ruleOut"]], [["rlad", "ruleIn"]]]);
  });

  it("rules in from 11.5 v or above the breed's limit, and never out by the VHS", () => {
    expect([8, 11.4, 11.5].map((vhs) => zones({ vhs })[0]?.[1])).toEqual(["grey", "grey", "ruleIn"]);
    const bulldog = { breedLimit: 16.1, isCavalier: false };
    expect([12, 16.1, 16.2].map((vhs) => zones({ vhs }, bulldog)[0]?.[1])).toEqual(["grey", "grey", "ruleIn"]);
  });

  it("uses the limit of a breed, for mixed breeds only one of the practice", () => {
    const limitOf = (breed: string, own: Parameters<typeof referenceRangeFor>[3] = []) =>
      breedLimitOf(referenceRangeFor("vhs", "dog", breed, own));
    expect([limitOf("Boxer"), limitOf("Mischling"), limitOf("")]).toEqual([13.2, null, null]);
    const of = { measure: "vhs", species: "dog", breed: "Mischling" } as const;
    const own = { ...of, low: 8.5, high: 10.7, source: "ours", id: "", enteredBy: "", enteredAt: "" };
    expect(limitOf("mongrel", [own])).toBe(10.7);
  });

  it("adds the limits of Cavaliers, including NT-proBNP", () => {
    const cavalier = { breedLimit: 11.2, isCavalier: true };
    expect(zones({ vhs: 11.4, ntProBnp: 1138 }, cavalier)).toEqual([
      ["vhs", "ruleIn"],
      ["vhs", "grey"],
      ["ntProBnp", "ruleIn"],
    ]);
    expect(zones({ ntProBnp: 5000 })).toEqual([]);
  });

  it("rates heart failure of a cat as unlikely, grey from 8.0 to 9.3 v, or likely, never ruled in or out", () => {
    const ofCats = [7.9, 8, 8.1, 9.3, 9.4].map((vhs) => catStagingLines(vhs)[0]?.zone);
    expect(ofCats).toEqual(["unlikely", "unlikely", "grey", "grey", "likely"]);
    expect(catStagingLines(null)).toEqual([]);
  });

  it("lists each published cut-off with sensitivity, specificity and source", () => {
    const published = (lines: readonly StagingLine[]) =>
      lines.map(({ measure, low, best = null, high, source }) => [measure, ...[low, best, high].map(figures), source]);
    const values = { vhs: 10, vlas: 2, rlad: 1, ntProBnp: 1 };
    const miyakawa = "Miyakawa et al. 2020, J Vet Cardiol 30:92–99";
    const wesselowski = "Wesselowski et al. 2023, J Vet Cardiol, 10.1016/j.jvc.2023.10.001";
    expect(published(dogStagingLines(values, { breedLimit: null, isCavalier: true }))).toEqual([
      ["vhs", null, null, [11.5, null, null], stageB2.source],
      ["vhs", null, null, [11.5, null, 91], wesselowski],
      ["ntProBnp", null, null, [1138, null, 90], wesselowski],
      ["vlas", [2.5, 100, 78], [2.6, 95, 84], [3.1, 47, 100], miyakawa],
      ["vlas", null, [2.5, 70, 84], [3, 40, 96], "Stepien et al. 2020, J Am Vet Med Assoc 256:1129"],
      ["rlad", [1.8, 100, 93], null, [1.8, 100, 93], "Vezzosi et al. 2021, J Vet Cardiol 34:55–63"],
    ]);
    expect(published(catStagingLines(8))).toEqual([
      ["vhs", [8, null, null], null, [9.3, null, null], "Sleeper et al. 2013, J Am Vet Med Assoc 242:366–371"],
    ]);
  });
});
