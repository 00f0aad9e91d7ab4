import { describe, expect, it } from "vitest";
import { logOddsOf } from "../../../core/usg/tree-ensemble.ts";
import { createExplainer } from "../../../core/usg/tree-shap.ts";
import { parseXgboostModel } from "../../../core/usg/xgboost-model.ts";
import { modelDocument, randomRow, randomTree, seeded, stump } from "./random-model.ts";
import { bruteForceShapley } from "./shapley-oracle.ts";

function differenceToOracle(trees: ReturnType<typeof parseXgboostModel>, row: Float64Array): number {
  const explainer = createExplainer(trees);
  const contributions = explainer.explain(row);
  const oracle = bruteForceShapley(trees, row);
  const difference = oracle.contributions.map((value, feature) => Math.abs(value - contributions[feature]!));
  return Math.max(Math.abs(oracle.base - explainer.baseValue), ...difference);
}

describe("TreeSHAP equals the definition over the 32 subsets", () => {
  const random = seeded(1);
  it.each([1, 2, 3, 4, 6, 9])("for trees of depth %d with repeated features and missing values", (depth) => {
    let worst = 0;
    for (let model = 0; model < 20; model++) {
      const trees = parseXgboostModel(modelDocument(Array.from({ length: 5 }, () => randomTree(random, depth))));
      for (let row = 0; row < 9; row++) worst = Math.max(worst, differenceToOracle(trees, randomRow(random, 0.2)));
    }
    expect(worst).toBeLessThan(1e-9);
  });

  it("for leaves without training rows", () => {
    const tree = randomTree(random, 1, 0);
    const empty = { ...tree, sum_hessian: [1000, 0, 1000] };
    expect(differenceToOracle(parseXgboostModel(modelDocument([empty])), randomRow(random))).toBeLessThan(1e-12);
  });
});

it("adds up to the log-odds, even for very deep trees", () => {
  const random = seeded(2);
  for (let model = 0; model < 20; model++) {
    const trees = parseXgboostModel(modelDocument(Array.from({ length: 20 }, () => randomTree(random, 12, 0.3))));
    const explainer = createExplainer(trees);
    for (let number = 0; number < 20; number++) {
      const row = randomRow(random, 0.1);
      const sum = explainer.explain(row).reduce((total, value) => total + value, explainer.baseValue);
      expect(Math.abs(sum - logOddsOf(trees, row))).toBeLessThan(1e-9);
    }
  }
});

it("assigns zero to unused features", () => {
  const explainer = createExplainer(parseXgboostModel(modelDocument([stump(0.25), stump(0.5)], "0.5")));
  expect({ base: explainer.baseValue, contributions: [...explainer.explain(randomRow(seeded(3)))] }).toEqual({
    base: 0.75,
    contributions: [0, 0, 0, 0, 0],
  });
});

it("does not depend on the rows explained before", () => {
  const random = seeded(4);
  const trees = parseXgboostModel(modelDocument(Array.from({ length: 10 }, () => randomTree(random, 4))));
  const shared = createExplainer(trees);
  for (let number = 0; number < 50; number++) {
    const row = randomRow(random, 0.2);
    expect(shared.explain(row)).toEqual(createExplainer(trees).explain(row));
  }
});
