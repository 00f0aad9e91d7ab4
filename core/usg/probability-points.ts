import { probabilityOf } from "./tree-ensemble.ts";

type Explanation = { readonly base_value: number; readonly features: readonly { readonly shap: number }[] };

/**
 * Converts an explanation from log-odds to probabilities. Every contribution is scaled by the mean slope of the
 * logistic curve between the base value and the result. This preserves signs and order, and base and points add up to
 * the probability.
 */
export function probabilityPoints({ base_value, features }: Explanation): {
  readonly base: number;
  readonly points: readonly number[];
} {
  const sum = features.reduce((total, { shap }) => total + shap, 0);
  const base = probabilityOf(base_value);
  // Near zero the quotient loses precision; the derivative is its limit.
  const slope = Math.abs(sum) < 1e-6 ? base * (1 - base) : (probabilityOf(base_value + sum) - base) / sum;
  return { base, points: features.map(({ shap }) => shap * slope) };
}
