import { describe, expect, it } from "vitest";
import { catStagingLines, dogStagingLines, type StagingValues } from "../../../../core/cardiac/findings/staging-aid.ts";

const none: StagingValues = { vhs: null, vlas: null, rlad: null, ntProBnp: null };
const dog = { breedLimit: null, isCavalier: false };
const zones = (values: Partial<StagingValues>, of: Parameters<typeof dogStagingLines>[1] = dog) =>
  dogStagingLines({ ...none, ...values }, of).map(({ measure, zone }) => [measure, zone]);

describe("the staging aid", () => {
  it("applies both published limits of the left atrium to the displayed value", () => {
    expect([2.44, 2.46, 2.96, 3.06].map((vlas) => zones({ vlas }).map(([, zone]) => zone))).toEqual([
      ["ruleOut", "grey"],
      ["grey", "grey"],
      ["grey", "ruleIn"],
      ["ruleIn", "ruleIn"],
    ]);
  });

  it("has no grey zone for the RLAD, whose single limit has both accuracies", () => {
    expect([1.7, 1.8].map((rlad) => zones({ rlad }))).toEqual([[["rlad", "ruleOut"]], [["rlad", "ruleIn"]]]);
  });

  it("rules in from 11.5 v without a breed's range, else above the breed's limit, and never out by the VHS alone", () => {
    expect([8, 11.4, 11.5].map((vhs) => zones({ vhs })[0]?.[1])).toEqual(["grey", "grey", "ruleIn"]);
    const bulldog = { breedLimit: 16.1, isCavalier: false };
    expect([12, 16.1, 16.2].map((vhs) => zones({ vhs }, bulldog)[0]?.[1])).toEqual(["grey", "grey", "ruleIn"]);
  });

  it("adds the limits of Cavaliers, and NT-proBNP only for them", () => {
    const cavalier = { breedLimit: 11.2, isCavalier: true };
    expect(zones({ vhs: 11.4, ntProBnp: 1138 }, cavalier)).toEqual([
      ["vhs", "ruleIn"],
      ["vhs", "grey"],
      ["ntProBnp", "ruleIn"],
    ]);
    expect(zones({ ntProBnp: 5000 })).toEqual([]);
  });

  it("calls heart failure of a cat likely or unlikely, never ruled in or out, with a grey zone from 8.0 to 9.3 v", () => {
    const ofCats = [7.9, 8, 8.1, 9.3, 9.4].map((vhs) => catStagingLines(vhs)[0]?.zone);
    expect(ofCats).toEqual(["unlikely", "unlikely", "grey", "grey", "likely"]);
    expect(catStagingLines(null)).toEqual([]);
  });

  it("names a source for every line", () => {
    const lines = dogStagingLines({ vhs: 10, vlas: 2, rlad: 1, ntProBnp: 1 }, { breedLimit: null, isCavalier: true });
    expect(lines).toHaveLength(6);
    for (const { source } of lines) expect(source).toMatch(/\b(19|20)\d\d\b/);
  });
});
