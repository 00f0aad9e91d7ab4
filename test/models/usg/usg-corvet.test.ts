import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { rowOf, usgFeatures, type FeatureKey, type FeatureValues } from "../../../core/usg/features.ts";
import { screen } from "../../../core/usg/screening.ts";
import { logOddsOf } from "../../../core/usg/tree-ensemble.ts";
import { usgResultSchema } from "../../../core/contract/usg-v1.ts";
import { loadUsgPacks } from "../../../main/inference/packs/usg-pack.ts";
import { programPacksDir } from "../../../main/program.ts";
import { seeded } from "../../core/usg/random-model.ts";

const folder = path.join(programPacksDir, "usg-corvet");
const { active, packs } = loadUsgPacks([programPacksDir]);
if (active === null) throw new Error(`the pack does not load: ${JSON.stringify(packs)}`);
const { trees, explainer, thresholdImpaired } = active.model;

const vectors = z
  .object({
    rows: z.array(z.array(z.number().nullable()).length(5)),
    logOdds: z.array(z.number()),
    contributions: z.array(z.array(z.number()).length(6)),
  })
  .parse(JSON.parse(readFileSync(new URL("xgboost-vectors.json", import.meta.url), "utf8")));
const vectorRow = (number: number) => Float64Array.from(vectors.rows[number]!, (value) => value ?? Number.NaN);

describe("stored rows, some with missing values or values on a threshold", () => {
  it("have the log-odds of XGBoost within 1e-5", () => {
    const worst = Math.max(
      ...vectors.rows.map((_, number) => Math.abs(logOddsOf(trees, vectorRow(number)) - vectors.logOdds[number]!)),
    );
    expect(worst).toBeLessThan(1e-5);
  });
  it("have the contributions and base value of XGBoost within 1e-5", () => {
    const worst = Math.max(
      ...vectors.contributions.map((theirs, number) => {
        const ours = [...explainer.explain(vectorRow(number)), explainer.baseValue];
        return Math.max(...theirs.map((value, column) => Math.abs(value - ours[column]!)));
      }),
    );
    expect(worst).toBeLessThan(1e-5);
  });
});

describe("explanations", () => {
  it("are sorted by absolute value, equal ones in the order of the features", () => {
    const still = { baseValue: 0, explain: () => Float64Array.of(0.5, -0.5, 0.70004, 0, -0) };
    const { result } = screen({ ...active.model, explainer: still }, plausible(seeded(1)));
    expect(result.explanation.features.map(({ feature, shap, direction }) => [feature, shap, direction])).toEqual([
      ["HGB", 0.7, "impaired"],
      ["BUN", 0.5, "impaired"],
      ["CREATININE", -0.5, "adequate"],
      ["ABSOLUTE LYMPHOCYTES", 0, "adequate"],
      ["age_months", 0, "adequate"],
    ]);
  });
});

describe("the risk", () => {
  const rising: readonly FeatureKey[] = ["BUN", "CREATININE", "age_months"];
  it.each<[FeatureKey, number]>([...rising.map((key): [FeatureKey, number] => [key, 1]), ["HGB", -1]])(
    "is monotonic in %s",
    (key, direction) => {
      const { minimum, maximum } = usgFeatures.find((feature) => feature.key === key)!;
      const value = fc.double({ min: minimum, max: maximum, noNaN: true });
      fc.assert(
        fc.property(fc.integer(), value, value, (seed, one, other) => {
          const [low, high] = [Math.min(one, other), Math.max(one, other)].map((changed) =>
            logOddsOf(trees, rowOf({ ...plausible(seeded(seed)), [key]: changed })),
          );
          expect(direction * (high! - low!)).toBeGreaterThanOrEqual(0);
        }),
        { numRuns: 300 },
      );
    },
  );

  it("is high for a sick old cat and low for a healthy young one", () => {
    const healthy = { BUN: 22, CREATININE: 1.2, HGB: 14, "ABSOLUTE LYMPHOCYTES": 2600, age_months: 36 };
    const sick = { BUN: 90, CREATININE: 5.2, HGB: 9, "ABSOLUTE LYMPHOCYTES": 1100, age_months: 180 };
    expect([healthy, sick].map((values) => screen(active.model, values).result.risk_tier)).toEqual(["low", "high"]);
  });

  it("is unchanged after a round trip through JSON", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { result } = screen(active.model, plausible(seeded(seed)));
        expect(usgResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the pack", () => {
  const manifest = z
    .object({
      training: z.object({ statement: z.string() }),
      evaluation: z.looseObject({ n: z.number() }),
      clinicallyValidated: z.literal(false),
    })
    .parse(JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8")));
  it("is the only one, active, with the published threshold", () => {
    expect([packs.map(({ name, state }) => [name, state]), thresholdImpaired]).toEqual([
      [["usg-corvet", "active"]],
      0.3496,
    ]);
  });
  it("states in card and manifest that the cats are simulated", () => {
    const card = readFileSync(path.join(folder, "CARD.md"), "utf8");
    expect(card).toMatch(/not clinically validated/i);
    expect(card).toMatch(/no real cat was involved/i);
    expect(manifest.training.statement).toMatch(/no real cat was involved/);
  });
  it("states the results of the evaluation in its card", () => {
    const card = readFileSync(path.join(folder, "CARD.md"), "utf8");
    const figures = z
      .object({ auc: z.object({ value: z.number() }), brier: z.object({ value: z.number() }) })
      .parse(manifest.evaluation);
    expect(card).toContain(`| AUC | ${figures.auc.value.toFixed(3)} |`);
    expect(card).toContain(`| Brier score | ${figures.brier.value.toFixed(3)} |`);
  });
});

function plausible(random: () => number): FeatureValues {
  return Object.fromEntries(
    usgFeatures.map(({ key, minimum, maximum }) => [key, minimum + random() * (maximum - minimum)]),
  ) as Record<FeatureKey, number>;
}
