import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { usgFeatures } from "../../../core/usg/features.ts";
import { logOddsOf } from "../../../core/usg/tree-ensemble.ts";
import { createExplainer } from "../../../core/usg/tree-shap.ts";
import { parseXgboostModel } from "../../../core/usg/xgboost-model.ts";
import { modelDocument, randomRow, randomTree, seeded, stump } from "./random-model.ts";

/** Rows with BUN < 20 continue left, missing values right by default. */
const split = (changes: object = {}) => ({
  tree_param: { size_leaf_vector: "0" },
  left_children: [1, -1, -1],
  right_children: [2, -1, -1],
  split_indices: [0, 0, 0],
  split_conditions: [20, -1, 1],
  default_left: [0, 0, 0],
  sum_hessian: [4, 1, 3],
  ...changes,
});
const row = (bun: number) => Float64Array.of(bun, 1, 12, 2000, 60);

function refusalOf(document: unknown): string {
  try {
    parseXgboostModel(document);
  } catch (error) {
    if (error instanceof AppError && error.code === "PACK_REFUSED") return error.message;
    throw error;
  }
  throw new Error("was accepted");
}

describe("a parsed tree", () => {
  it("continues left below the threshold only", () => {
    const trees = parseXgboostModel(modelDocument([split()]));
    expect([19.99, 20, 20.01].map((bun) => logOddsOf(trees, row(bun)))).toEqual([-1, 1, 1]);
  });
  it("compares in single precision", () => {
    const trees = parseXgboostModel(modelDocument([split({ split_conditions: [0.1, -1, 1] })]));
    // 0.1 in single precision is 0.10000000149…; values that round to it are not below it.
    expect([0.1, 0.1000000001, 0.09999999].map((bun) => logOddsOf(trees, row(bun)))).toEqual([1, 1, -1]);
  });
  it.each([
    [0, 1],
    [1, -1],
    [false, 1],
    [true, -1],
  ])("maps a missing value with default_left %j to %d", (isLeft, logOdds) => {
    const trees = parseXgboostModel(modelDocument([split({ default_left: [isLeft, 0, 0] })]));
    expect(logOddsOf(trees, row(Number.NaN))).toBe(logOdds);
  });
  it("contains no nodes left over from pruning", () => {
    const pruned = split({
      left_children: [3, -1, -1, -1, -1],
      right_children: [4, -1, -1, -1, -1],
      split_indices: [0, 2147483647, 9, 0, 0],
      split_conditions: [20, 0, 0, -1, 1],
      default_left: [0, 0, 0, 0, 0],
      sum_hessian: [4, 0, 0, 1, 3],
    });
    const trees = parseXgboostModel(modelDocument([pruned]));
    expect([trees.left.length, logOddsOf(trees, row(5))]).toEqual([3, -1]);
  });
  it("maps columns by their names", () => {
    const document = modelDocument([split()]);
    document.learner.feature_names.reverse();
    const trees = parseXgboostModel(document);
    expect(trees.feature[0]).toBe(usgFeatures.findIndex(({ key }) => key === "age_months"));
  });
  it("uses the default order without names", () => {
    const document = modelDocument([split()]);
    document.learner.feature_names = [];
    expect(parseXgboostModel(document).feature[0]).toBe(0);
  });
});

describe("format versions", () => {
  it.each([["5E-1"], ["0.5"], [0.5], ["[5E-1]"]])("accept base_score %j", (baseScore) => {
    expect(parseXgboostModel(modelDocument([stump(1)], baseScore)).baseLogOdds).toBe(0);
  });
  it("store base_score in single precision, as a probability", () => {
    expect(parseXgboostModel(modelDocument([stump(1)], "2E-1")).baseLogOdds).toBeCloseTo(Math.log(0.25), 7);
  });
  it("differ in flags, leaf vectors and split types, with equal results", () => {
    const early = parseXgboostModel(modelDocument([split({ default_left: [true, false, false] })]));
    const late = parseXgboostModel(
      modelDocument(
        [
          split({
            default_left: [1, 0, 0],
            tree_param: { size_leaf_vector: "1" },
            split_type: [0, 0, 0],
            categories: [],
          }),
        ],
        "[5E-1]",
      ),
    );
    expect(late).toEqual(early);
  });
});

describe("a rejection states the unsupported part", () => {
  const learner = (changes: object) => ({ learner: { ...modelDocument([split()]).learner, ...changes } });
  const parameters = (changes: object) =>
    learner({ learner_model_param: { ...modelDocument([]).learner.learner_model_param, ...changes } });
  it.each<[string, unknown, RegExp]>([
    ["nothing", null, /./],
    ["no learner", {}, /learner/],
    ["another objective", learner({ objective: { name: "reg:squarederror" } }), /objective\.name/],
    ["another booster", learner({ gradient_booster: { name: "dart", gbtree: {} } }), /gradient_booster\.name/],
    ["no trees", modelDocument([]), /trees/],
    ["classes", parameters({ num_class: "3" }), /num_class/],
    ["targets", parameters({ num_target: "2" }), /num_target/],
    ["other columns", parameters({ num_feature: "6" }), /num_feature/],
    ["base score 1", parameters({ base_score: "1" }), /base_score/],
    ["a base score that is 0 in single precision", parameters({ base_score: "1E-300" }), /base_score/],
    ["base score text", parameters({ base_score: "half" }), /base_score/],
    ["two base scores", parameters({ base_score: "[0.5,0.5]" }), /base_score/],
    [
      "an unknown name",
      learner({ feature_names: ["BUN", "CREATININE", "HGB", "ABSOLUTE LYMPHOCYTES", "age"] }),
      /feature_names/,
    ],
    [
      "a name twice",
      learner({ feature_names: ["BUN", "BUN", "HGB", "ABSOLUTE LYMPHOCYTES", "age_months"] }),
      /feature_names/,
    ],
    ["a cycle", modelDocument([split({ left_children: [0, -1, -1] })]), /tree 0: node 0 is reached twice/],
    ["a shared child", modelDocument([split({ right_children: [1, -1, -1] })]), /node 1 is reached twice/],
    ["an index too large", modelDocument([split({ right_children: [3, -1, -1] })]), /node 3 does not exist/],
    ["an index too small", modelDocument([split({ right_children: [-2, -1, -1] })]), /node -2 does not exist/],
    ["one child", modelDocument([split({ right_children: [-1, -1, -1] })]), /node 0 has one child/],
    ["an unknown feature", modelDocument([split({ split_indices: [5, 0, 0] })]), /unknown feature/],
    ["a negative feature", modelDocument([split({ split_indices: [-1, 0, 0] })]), /unknown feature/],
    ["a fraction for an index", modelDocument([split({ left_children: [1.5, -1, -1] })]), /left_children/],
    ["arrays that differ", modelDocument([split({ sum_hessian: [4, 1] })]), /sum_hessian holds 2 values for 3 nodes/],
    ["a huge value", modelDocument([split({ split_conditions: [20, 1e300, 1] })]), /finite/],
    ["no covers", modelDocument([split({ sum_hessian: [0, 0, 0] })]), /cover/],
    ["negative covers", modelDocument([split({ sum_hessian: [4, -1, 5] })]), /cover/],
    ["covers that do not add up", modelDocument([split({ sum_hessian: [4, 1, 1] })]), /add up/],
    ["categories", modelDocument([split({ split_type: [1, 0, 0] })]), /categorical/],
    ["leaf vectors", modelDocument([split({ tree_param: { size_leaf_vector: "2" } })]), /one value/],
    ["an empty tree", modelDocument([split({ left_children: [] })]), /left_children/],
  ])("%s", (_, document, message) => {
    expect(refusalOf(document)).toMatch(message);
  });
});

describe("hostile documents", () => {
  const junk = fc.oneof(
    fc.constantFrom(null, -1, 0, 1, 2, Infinity, -0.5, 1e300, 2 ** 31, "", "x", [], {}, true),
    fc.double(),
    fc.jsonValue(),
  );

  it("are rejected, or loaded and explained, if they are mutated models", () => {
    const random = seeded(9);
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        junk,
        fc.integer({ min: 1, max: 3 }),
        (way, value, depth) => {
          const document = structuredClone(modelDocument([randomTree(random, depth), randomTree(random, depth)]));
          replaceOne(document, way, value);
          try {
            const trees = parseXgboostModel(document);
            const sample = randomRow(random, 0.3);
            const explainer = createExplainer(trees);
            const sum = explainer.explain(sample).reduce((total, part) => total + part, explainer.baseValue);
            const scale = Math.max(1, ...trees.leafLogOdds.map(Math.abs));
            expect(Math.abs(sum - logOddsOf(trees, sample)) / scale).toBeLessThan(1e-9);
          } catch (error) {
            expect(error).toMatchObject({ code: "PACK_REFUSED" });
            refused++;
          }
        },
      ),
      { numRuns: 1000, seed: 7 },
    );
    expect(refused).toBeGreaterThan(200);
  });

  it("are rejected if they are any other input", () => {
    fc.assert(
      fc.property(fc.anything(), (document) => {
        expect(refusalOf(document)).toMatch(/^XGBoost model/);
      }),
      { numRuns: 500 },
    );
  });
});

function replaceOne(document: object, way: readonly number[], value: unknown): void {
  let place = document as Record<string, unknown>;
  for (const [step, turn] of way.entries()) {
    const keys = Object.keys(place);
    const key = keys[turn % keys.length];
    if (key === undefined) return;
    const inner = place[key];
    if (step === way.length - 1 || typeof inner !== "object" || inner === null) {
      place[key] = value;
      return;
    }
    place = inner as Record<string, unknown>;
  }
}
