import type { Reading } from "../../contract/desktop/readings.ts";
import { withoutValues } from "../heart-score.ts";
import { latestProposal } from "./latest-proposal.ts";

/**
 * Readings to report for a film, given oldest first: the networks' latest proposal and the current one, if different.
 */
export function reportedReadings(readings: readonly Reading[]): readonly Reading[] {
  const counting = readings.at(-1);
  if (!counting) return [];
  const proposal = latestProposal(readings);
  return proposal && proposal.id !== counting.id && counting.verdict !== "by_hand" ? [proposal, counting] : [counting];
}

/** False for a rejected reading or one without a VHS, even if other measures exist (result code 5). */
export function hasScore({ verdict, score, heart }: Pick<Reading, "verdict" | "score" | "heart">): boolean {
  return verdict !== "rejected" && heart !== null && score !== null && score.vhs !== null;
}

/** A reading's score, or that of its moved points. Without `hasScore` only axes and angle are kept. */
export function reportedScore(
  reading: Pick<Reading, "verdict" | "score" | "heart">,
  score = reading.score,
): Reading["score"] {
  return score && !hasScore(reading) ? withoutValues(score) : score;
}

/** Whether all packs behind a result are clinically validated. False for points placed by users only. */
export function isClinicallyValidated({
  readings,
}: {
  readonly readings: readonly Pick<Reading, "provenance">[];
}): boolean {
  const packs = readings.flatMap(({ provenance }) => (provenance ? [provenance] : []));
  return packs.length > 0 && packs.every((pack) => pack.isClinicallyValidated);
}
