import type { ConfidenceTier } from "./confidence.ts";

/** Result codes of section 2.7 and their descriptions. */
export const resultDescriptions = {
  0: "Abnormal result, unexpected prediction state",
  1: "VHS and VLAS predicted with high confidence",
  2: "VHS and VLAS predicted with moderate confidence",
  3: "VHS and VLAS predicted, confidence low, review recommended",
  4: "VHS predicted, VLAS could not be calculated",
  5: "Neither VHS nor VLAS could be calculated, check image quality",
  6: "Image rejected, not a valid radiograph",
  7: "PoP image detected but perspective correction failed",
} as const;

export type ResultCode = keyof typeof resultDescriptions;

/** Whether a call with this result is billed, which requires a valid VHS. */
export function isBillable(code: ResultCode): boolean {
  return code >= 1 && code <= 4;
}

/** Tier of a result code; `review` for codes without a VLAS. */
export function tierOfCode(code: number | null): ConfidenceTier {
  return code === 1 ? "optimal" : code === 2 ? "good" : "review";
}

/** Result code of an image that passed the gate and, if it is a photograph, was rectified. */
export function resultCodeOf(
  vhs: number | null,
  vlas: number | null,
  tier: ConfidenceTier,
): Exclude<ResultCode, 0 | 6 | 7> {
  if (vhs === null) return 5;
  if (vlas === null) return 4;
  return tier === "optimal" ? 1 : tier === "good" ? 2 : 3;
}
