import type { Reading } from "../../contract/desktop/readings.ts";
import { withoutValues } from "../heart-score.ts";
import { latestProposal } from "./latest-proposal.ts";

/**
 * Returns the readings in a film's results: the networks' latest proposal and the current one, once if they are the
 * same.
 *
 * @param readings  of the film, the oldest first
 */
export function reportedReadings(readings: readonly Reading[]): readonly Reading[] {
  const counting = readings.at(-1);
  if (!counting) return [];
  const proposal = latestProposal(readings);
  return proposal && proposal.id !== counting.id && counting.verdict !== "by_hand" ? [proposal, counting] : [counting];
}

/**
 * Whether a reading has values to report. A rejected one has none, nor has one without a VHS, whatever else was
 * measured on the film (result code 5).
 */
export function hasScore({ verdict, score, heart }: Pick<Reading, "verdict" | "score" | "heart">): boolean {
  return verdict !== "rejected" && heart !== null && score !== null && score.vhs !== null;
}

/**
 * Returns a reading's score, without values if `hasScore` is false; axes and angle stay.
 *
 * @param score  of moved points
 */
export function reportedScore(
  reading: Pick<Reading, "verdict" | "score" | "heart">,
  score = reading.score,
): Reading["score"] {
  return score && !hasScore(reading) ? withoutValues(score) : score;
}

/**
 * Whether every pack behind a result is clinically validated, according to its publisher. User-placed points have no
 * pack.
 */
export function isClinicallyValidated({
  readings,
}: {
  readonly readings: readonly Pick<Reading, "provenance">[];
}): boolean {
  const packs = readings.flatMap(({ provenance }) => (provenance ? [provenance] : []));
  return packs.length > 0 && packs.every((pack) => pack.isClinicallyValidated);
}
