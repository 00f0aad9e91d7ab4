import type { ConfidenceTier } from "../confidence.ts";
import { latestProposal } from "./latest-proposal.ts";

type Decided = {
  readonly source: "model" | "person" | "api";
  readonly verdict: "accepted" | "rejected" | "corrected" | "by_hand" | null;
  /** Of a person's reading null where a person placed its points, whatever has been decided about them since. */
  readonly resultCode: number | null;
};

/**
 * Whether a person placed the points of a reading: what the networks say of their own points (tier, code, spread) is
 * then no statement about them. Accepting a correction does not make it the networks' own.
 */
export function isPlacedByPerson(reading: Decided | null): boolean {
  if (reading === null) return false;
  const { source, verdict, resultCode } = reading;
  return verdict === "corrected" || verdict === "by_hand" || (source === "person" && resultCode === null);
}

/**
 * How far the networks agree on a reading that rests on their points: what is said of it does not change when a person
 * accepts it. null where a person placed the points.
 *
 * @param proposal  what the networks said last; readings of people bear no tier of their own
 */
export function networksTier(
  reading: Decided & { readonly tier: ConfidenceTier | null },
  proposal: { readonly tier: ConfidenceTier | null } | null,
): ConfidenceTier | null {
  return isPlacedByPerson(reading) ? null : (reading.tier ?? proposal?.tier ?? null);
}

/**
 * The decision about the reading that counts for whoever gets that reading alone: one that was accepted after a person
 * had placed its points is not agreement with the networks.
 *
 * @param readings  of one film, the one that counts last
 */
export function toldVerdict(readings: readonly (Decided & { readonly source: "model" | "person" })[]) {
  const counting = readings.at(-1) ?? null;
  if (counting?.verdict !== "accepted" || !isPlacedByPerson(counting)) return counting?.verdict ?? null;
  return latestProposal(readings) ? "corrected" : "by_hand";
}
