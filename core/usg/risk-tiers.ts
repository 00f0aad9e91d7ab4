/** Risk tiers, lowest first. */
export const riskTiers = ["low", "moderate_low", "moderate_high", "high"] as const;

export type RiskTier = (typeof riskTiers)[number];

/** Upper limit of `low` and lower limit of `high`; the limit between the other two is the model's threshold. */
export const riskTierLimits = { low: 0.2, high: 0.75 } as const;

export const riskLabels: Readonly<Record<RiskTier, string>> = {
  low: "Low risk: no follow-up indicated",
  moderate_low: "Moderate-low risk: likely adequate; consider confirming with urinalysis",
  moderate_high: "Moderate-high risk: possible impairment; urinalysis recommended",
  high: "High risk: urinalysis strongly recommended",
};

/** Each tier includes its lower limit and excludes its upper one. The threshold is between the two limits. */
export function riskTierOf(probabilityImpaired: number, thresholdImpaired: number): RiskTier {
  if (probabilityImpaired < riskTierLimits.low) return "low";
  if (probabilityImpaired < thresholdImpaired) return "moderate_low";
  return probabilityImpaired < riskTierLimits.high ? "moderate_high" : "high";
}

export function classificationOf(probabilityImpaired: number, thresholdImpaired: number): "adequate" | "impaired" {
  return probabilityImpaired < thresholdImpaired ? "adequate" : "impaired";
}
