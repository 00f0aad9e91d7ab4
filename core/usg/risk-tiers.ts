/** Risk tiers, lowest first. */
export const riskTiers = ["low", "moderate_low", "moderate_high", "high"] as const;

export type RiskTier = (typeof riskTiers)[number];

/** Upper end of `low` and lower end of `high`; the boundary between them is the model's own threshold. */
export const riskTierLimits = { low: 0.2, high: 0.75 } as const;

export const riskLabels: Readonly<Record<RiskTier, string>> = {
  low: "Low risk: no follow-up indicated",
  moderate_low: "Moderate-low risk: likely adequate; consider confirming with urinalysis",
  moderate_high: "Moderate-high risk: possible impairment; urinalysis recommended",
  high: "High risk: urinalysis strongly recommended",
};

/**
 * Tier of a probability; each tier holds its lower end and not its upper end.
 *
 * @param probabilityImpaired  as printed, 0–1
 * @param thresholdImpaired    the model's decision threshold, between the two limits
 */
export function riskTierOf(probabilityImpaired: number, thresholdImpaired: number): RiskTier {
  if (probabilityImpaired < riskTierLimits.low) return "low";
  if (probabilityImpaired < thresholdImpaired) return "moderate_low";
  return probabilityImpaired < riskTierLimits.high ? "moderate_high" : "high";
}

/** The binary answer; it flips where `moderate_low` ends. */
export function classificationOf(probabilityImpaired: number, thresholdImpaired: number): "adequate" | "impaired" {
  return probabilityImpaired < thresholdImpaired ? "adequate" : "impaired";
}
