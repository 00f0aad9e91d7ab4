import type { RiskTier } from "./risk-tiers.ts";

export type NextStep = "urinalysis" | "proteinuria" | "bloodPressure" | "recheck";

/**
 * Examinations to consider, most important first. Urinalysis follows the tier's recommended action; UPC, blood pressure
 * and a second blood sample are required by IRIS to diagnose, stage and substage chronic kidney disease.
 */
export const nextSteps: Readonly<Record<RiskTier, readonly NextStep[]>> = {
  low: [],
  moderate_low: ["urinalysis"],
  moderate_high: ["urinalysis", "proteinuria", "bloodPressure", "recheck"],
  high: ["urinalysis", "proteinuria", "bloodPressure", "recheck"],
};

/** Source of the creatinine bands and of the examinations beyond urinalysis. */
export const irisSource = "International Renal Interest Society: IRIS Staging of CKD (modified 2023)";

/**
 * Creatinine of cats by IRIS stage, in mg/dL and µmol/L; `from` and `to` are inclusive. Stages apply only after a
 * diagnosis of chronic kidney disease, in stable, hydrated cats.
 *
 * @see irisSource
 */
export const irisCreatinineBands = [
  { stage: 1, mgPerDl: { below: 1.6 }, umolPerL: { below: 140 } },
  { stage: 2, mgPerDl: { from: 1.6, to: 2.8 }, umolPerL: { from: 140, to: 250 } },
  { stage: 3, mgPerDl: { from: 2.9, to: 5 }, umolPerL: { from: 251, to: 440 } },
  { stage: 4, mgPerDl: { above: 5 }, umolPerL: { above: 440 } },
] as const;
