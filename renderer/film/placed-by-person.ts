import type { Verdict } from "../../core/contract/desktop/films.ts";

/**
 * Whether a person placed the points of a reading: what the networks say of their own points (tier, code, spread) is
 * then no statement about them.
 */
export function isPlacedByPerson(reading: { readonly verdict: Verdict | null } | null): boolean {
  return reading?.verdict === "corrected" || reading?.verdict === "by_hand";
}
