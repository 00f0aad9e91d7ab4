import type { HeartScore } from "./heart-score.ts";
import type { VertebralRuler } from "./vertebral-ruler.ts";

/** Confidence tiers, best first. */
export const confidenceTiers = ["optimal", "good", "review"] as const;

/** How far a measurement may be trusted without a second look. */
export type ConfidenceTier = (typeof confidenceTiers)[number];

/** Upper limits of the ensemble spread, exclusive (section 2.8). */
export const spreadLimits = { optimal: 0.005, good: 0.008 } as const;

/** Tier of a direct radiograph: by ensemble spread, `review` on a fallback ruler or without a valid VHS. */
export function tierOfSpread(spread: number, ruler: VertebralRuler, score: HeartScore): ConfidenceTier {
  if (ruler.kind === "fallback" || score.vhs === null) return "review";
  if (spread < spreadLimits.optimal) return "optimal";
  return spread < spreadLimits.good ? "good" : "review";
}

/**
 * Tier of a photograph of a screen: by geometry and heat-map sharpness.
 *
 * @param sharpness      mean probability mass within 3 cells of the peak, 0–1
 * @param sharpnessHigh  the pack's own limit above which a heat map counts as sharp
 */
export function tierOfSharpness(sharpness: number, sharpnessHigh: number, ruler: VertebralRuler, score: HeartScore): ConfidenceTier {
  if (ruler.kind === "fallback" || !score.isGeometryValid) return "review";
  return sharpness > sharpnessHigh ? "optimal" : "good";
}

/** The tier one step lower; `review` stays. */
export function oneTierLower(tier: ConfidenceTier): ConfidenceTier {
  return tier === "optimal" ? "good" : "review";
}
