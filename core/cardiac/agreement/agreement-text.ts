import type { Say } from "../../language/say.ts";
import type { ConfidenceTier, ReviewReason } from "../confidence.ts";

/** What of a reading decides how its tier is put into words. */
export type Agreement = {
  readonly tier: ConfidenceTier;
  /** One network looked: there is nobody to agree with. */
  readonly isPhotograph?: boolean;
  /** Where they are known. */
  readonly reviewReasons?: readonly ReviewReason[];
};

const disagreements: readonly ReviewReason["kind"][] = ["spread", "member_scatter"];

/** The same in a word, where there is no room for more. */
export function briefAgreementText({ tier, isPhotograph = false }: Agreement, say: Say): string {
  return say(isPhotograph ? `result.briefPhotograph_${tier}` : `result.brief_${tier}`);
}

/**
 * A tier as a clinician reads it: how far the networks agree, which says nothing about the heart. A film to be reviewed
 * for another reason than theirs says that it is to be checked.
 */
export function agreementText({ tier, isPhotograph = false, reviewReasons = [] }: Agreement, say: Say): string {
  if (isPhotograph) return say(`result.photograph_${tier}`);
  const isForOtherReasons = reviewReasons.length > 0 && !reviewReasons.some(({ kind }) => disagreements.includes(kind));
  return say(tier === "review" && isForOtherReasons ? "result.toBeChecked" : `result.tier_${tier}`);
}
