import type { UsgResult } from "../contract/usg-v1.ts";
import { rowOf, usgFeatures, type FeatureKey, type FeatureValues } from "./features.ts";
import { classificationOf, riskLabels, riskTierOf } from "./risk-tiers.ts";
import { roundTo } from "./rounding.ts";
import { logOddsOf, probabilityOf, type TreeEnsemble } from "./tree-ensemble.ts";
import type { Explainer } from "./tree-shap.ts";
import { assertPlausible, correctUnits } from "./unit-correction.ts";

export type UsgModel = {
  readonly modelVersion: string;
  /** Probability from which a cat is classified as impaired. */
  readonly thresholdImpaired: number;
  /** Urine specific gravity below which a cat was labelled impaired in the training data. */
  readonly sgCutoff: number;
  readonly trees: TreeEnsemble;
  readonly explainer: Explainer;
};

export type Screening = {
  readonly result: UsgResult;
  readonly values: FeatureValues;
  /** Unrounded, 0–1. */
  readonly probabilityImpaired: number;
};

/**
 * Screens one cat. Tier and classification are derived from the rounded probability, so that a client that applies the
 * table to it gets the same result. The two reported probabilities add up to 1.
 *
 * @param stated  features whose unit is not to be corrected
 * @throws AppError OUT_OF_RANGE
 */
export function screen(model: UsgModel, sent: FeatureValues, stated: readonly FeatureKey[] = []): Screening {
  const { values, warnings } = correctUnits(sent, stated);
  assertPlausible(values);
  const row = rowOf(values);
  const logOdds = logOddsOf(model.trees, row);
  const probabilityImpaired = probabilityOf(logOdds);
  const shown = roundTo(probabilityImpaired, 4);
  const tier = riskTierOf(shown, model.thresholdImpaired);
  const result: UsgResult = {
    classification: classificationOf(shown, model.thresholdImpaired),
    probability_adequate: roundTo(1 - shown, 4),
    probability_impaired: shown,
    risk_tier: tier,
    risk_label: riskLabels[tier],
    threshold_sg: model.sgCutoff,
    model_version: model.modelVersion,
    explanation: {
      base_value: model.explainer.baseValue,
      features: explainFeatures(values, model.explainer.explain(row, logOdds)),
    },
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  };
  return { result, values, probabilityImpaired };
}

/** Features by absolute contribution, largest first; equal ones keep their order. */
function explainFeatures(values: FeatureValues, contributions: Float64Array): UsgResult["explanation"]["features"] {
  return usgFeatures
    .map(({ key, label }, column) => ({ key, label, contribution: contributions[column] as number }))
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .map(({ key, label, contribution }) => {
      const shap = roundTo(contribution, 4);
      return {
        feature: key,
        label,
        value: roundTo(values[key], 2),
        shap,
        direction: shap > 0 ? "impaired" : "adequate",
      };
    });
}
