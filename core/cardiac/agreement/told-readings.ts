import type { Reading } from "../../contract/desktop/readings.ts";
import { withoutValues } from "../heart-score.ts";
import { latestProposal } from "./latest-proposal.ts";

/**
 * The readings that a film's results tell of: the networks' latest proposal and the one that counts, which may be one
 * and the same.
 *
 * @param readings  of the film, the oldest first
 */
export function tellingReadings(readings: readonly Reading[]): readonly Reading[] {
  const counting = readings.at(-1);
  if (!counting) return [];
  const proposal = latestProposal(readings);
  return proposal && proposal.id !== counting.id && counting.verdict !== "by_hand" ? [proposal, counting] : [counting];
}

/**
 * Whether a reading has values to tell. One that was rejected has none, whoever rejected it; nor has one without a VHS:
 * nothing else that was measured on that film is a value then (result code 5).
 */
export function hasScore({ verdict, score, heart }: Pick<Reading, "verdict" | "score" | "heart">): boolean {
  return verdict !== "rejected" && heart !== null && score !== null && score.vhs !== null;
}

/**
 * A reading's score as it is told: without values where it has none to tell. Axes and angle stay.
 *
 * @param score  of its points, where they are scored anew
 */
export function toldScore(
  reading: Pick<Reading, "verdict" | "score" | "heart">,
  score = reading.score,
): Reading["score"] {
  return score && !hasScore(reading) ? withoutValues(score) : score;
}

/**
 * Whether every pack that a result rests on is clinically validated, as its maker says. A person's own points rest on
 * none.
 */
export function isClinicallyValidated({
  readings,
}: {
  readonly readings: readonly Pick<Reading, "provenance">[];
}): boolean {
  const packs = readings.flatMap(({ provenance }) => (provenance ? [provenance] : []));
  return packs.length > 0 && packs.every((pack) => pack.isClinicallyValidated);
}
