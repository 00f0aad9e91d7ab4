import type { Reading } from "../../contract/desktop/readings.ts";
import { withoutValues } from "../heart-score.ts";
import { latestProposal } from "./latest-proposal.ts";

/**
 * Returns the readings to report for a film: the networks' latest proposal and the current reading, or one if they are
 * the same.
 *
 * @param readings  of the film, oldest first
 */
export function reportedReadings(readings: readonly Reading[]): readonly Reading[] {
  const counting = readings.at(-1);
  if (!counting) return [];
  const proposal = latestProposal(readings);
  return proposal && proposal.id !== counting.id && counting.verdict !== "by_hand" ? [proposal, counting] : [counting];
}

/**
 * Whether a reading has values to report. False if it was rejected or has no VHS, even if other measures exist (result
 * code 5).
 */
export function hasScore({ verdict, score, heart }: Pick<Reading, "verdict" | "score" | "heart">): boolean {
  return verdict !== "rejected" && heart !== null && score !== null && score.vhs !== null;
}

/**
 * Returns a reading's score; its measures are null if `hasScore` is false, axes and angle are kept.
 *
 * @param score  score after points were moved; default: that of the reading
 */
export function reportedScore(
  reading: Pick<Reading, "verdict" | "score" | "heart">,
  score = reading.score,
): Reading["score"] {
  return score && !hasScore(reading) ? withoutValues(score) : score;
}

/**
 * Whether all packs behind a result are clinically validated according to their publishers. False for points placed by
 * users only.
 */
export function isClinicallyValidated({
  readings,
}: {
  readonly readings: readonly Pick<Reading, "provenance">[];
}): boolean {
  const packs = readings.flatMap(({ provenance }) => (provenance ? [provenance] : []));
  return packs.length > 0 && packs.every((pack) => pack.isClinicallyValidated);
}
