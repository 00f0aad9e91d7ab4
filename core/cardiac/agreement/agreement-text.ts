import type { Say } from "../../language/say.ts";
import type { ConfidenceTier, ReviewReason } from "../confidence.ts";

/** What of a reading decides how its tier is put into words. */
export type Agreement = {
  readonly tier: ConfidenceTier;
  /** A photograph has one vote, so there is no agreement. */
  readonly isPhotograph?: boolean;
  readonly reviewReasons?: readonly ReviewReason[];
};

const disagreements: readonly ReviewReason["kind"][] = ["spread", "member_scatter"];

/**
 * Tier in a clinician's words: agreement of the networks, not a statement about the heart. A film that is `review` for
 * another reason is labelled "to be checked".
 */
export function agreementText({ tier, isPhotograph = false, reviewReasons = [] }: Agreement, say: Say): string {
  if (isPhotograph) return say(`result.photograph_${tier}`);
  const isForOtherReasons = reviewReasons.length > 0 && !reviewReasons.some(({ kind }) => disagreements.includes(kind));
  return say(tier === "review" && isForOtherReasons ? "result.toBeChecked" : `result.tier_${tier}`);
}
