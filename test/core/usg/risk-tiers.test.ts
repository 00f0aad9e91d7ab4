import { describe, expect, it } from "vitest";
import { classificationOf, riskLabels, riskTierOf, riskTiers } from "../../../core/usg/risk-tiers.ts";
import { screen } from "../../../core/usg/screening.ts";
import { roundTo } from "../../../core/usg/rounding.ts";
import { createExplainer } from "../../../core/usg/tree-shap.ts";
import { parseXgboostModel } from "../../../core/usg/xgboost-model.ts";
import { examplePayload } from "./example-payload.ts";
import { modelDocument, stump } from "./random-model.ts";

describe("half-open risk tiers", () => {
  it.each([
    [0, "low", "adequate"],
    [0.1999, "low", "adequate"],
    [0.19999999999, "low", "adequate"],
    [0.2, "moderate_low", "adequate"],
    [0.3495, "moderate_low", "adequate"],
    [0.34959999, "moderate_low", "adequate"],
    [0.3496, "moderate_high", "impaired"],
    [0.7499, "moderate_high", "impaired"],
    [0.74999999, "moderate_high", "impaired"],
    [0.75, "high", "impaired"],
    [1, "high", "impaired"],
  ] as const)("map %d to %s and %s", (probability, tier, classification) => {
    expect([riskTierOf(probability, 0.3496), classificationOf(probability, 0.3496)]).toEqual([tier, classification]);
  });
});

it.each([
  [0.34954, 0.3495, "moderate_low", "adequate"],
  [0.34956, 0.3496, "moderate_high", "impaired"],
  [0.19996, 0.2, "moderate_low", "adequate"],
  [0.74996, 0.75, "high", "impaired"],
] as const)(
  "derives tier and classification from the reported probability: %d is reported as %d",
  (probability, printed, tier, classification) => {
    const trees = parseXgboostModel(modelDocument([stump(Math.log(probability / (1 - probability)))]));
    const explainer = createExplainer(trees);
    const model = { modelVersion: "1", thresholdImpaired: 0.3496, sgCutoff: 1.035, trees, explainer };
    expect(screen(model, examplePayload).result).toMatchObject({
      probability_impaired: printed,
      risk_tier: tier,
      classification,
    });
  },
);

it("uses the labels of section 2.3", () => {
  expect(riskTiers.map((tier) => riskLabels[tier])).toEqual([
    "Low risk: no follow-up indicated",
    "Moderate-low risk: likely adequate; consider confirming with urinalysis",
    "Moderate-high risk: possible impairment; urinalysis recommended",
    "High risk: urinalysis strongly recommended",
  ]);
});

describe("rounding", () => {
  it.each([
    [0.34955, 4, 0.3496],
    [-0.00004, 4, 0],
    [-1.00005, 4, -1.0001],
    [2.345, 2, 2.35],
    [49990, 2, 49990],
    [1e300, 4, 1e300],
  ])("rounds %d to %d decimals: %d", (value, decimals, rounded) => {
    expect(roundTo(value, decimals)).toBe(rounded);
  });
});
