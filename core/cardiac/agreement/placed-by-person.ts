import type { ConfidenceTier } from "../confidence.ts";
import { latestProposal } from "./latest-proposal.ts";

type Decided = {
  readonly source: "model" | "person" | "api";
  readonly verdict: "accepted" | "rejected" | "corrected" | "by_hand" | null;
  /** null if a user placed the points, whatever the later verdict. */
  readonly resultCode: number | null;
};

/**
 * Whether a user placed the points of a reading, which a later acceptance does not change. If so, tier, code and spread
 * do not apply: they describe the networks' own points.
 */
export function isPlacedByPerson(reading: Decided | null): boolean {
  if (reading === null) return false;
  const { source, verdict, resultCode } = reading;
  return verdict === "corrected" || verdict === "by_hand" || (source === "person" && resultCode === null);
}

/** How a user placed the points of a reading, and who. `who` is null if unknown, for example for an imported result. */
export type Placement = { readonly how: "corrected" | "by_hand"; readonly who: string | null };

type Version = Pick<Decided, "verdict"> & {
  readonly source: "model" | "person";
  readonly tier: ConfidenceTier | null;
  readonly who: string | null;
};

/** Placement of a reading's points, which a later acceptance does not change; `versions` up to it, oldest first. */
export function placementOf(reading: Decided, versions: readonly Version[]): Placement | null {
  if (!isPlacedByPerson(reading)) return null;
  for (const { verdict, who } of versions.toReversed())
    if (verdict === "corrected" || verdict === "by_hand") return { how: verdict, who };
  return { how: howPlaced(versions), who: null };
}

/** Points placed by a user correct those of the networks, if there are any. */
function howPlaced(versions: Parameters<typeof latestProposal>[0]): Placement["how"] {
  return latestProposal(versions) ? "corrected" : "by_hand";
}

/** Tier of the networks' points, unchanged by acceptance: readings by users have no tier of their own. */
export function networksTier(
  reading: Decided & { readonly tier: ConfidenceTier | null },
  proposal: { readonly tier: ConfidenceTier | null } | null,
): ConfidenceTier | null {
  return isPlacedByPerson(reading) ? null : (reading.tier ?? proposal?.tier ?? null);
}

/**
 * Verdict to report with the current, last reading alone. A reading accepted after a user placed its points is reported
 * as `corrected` or `by_hand`, because it does not agree with the networks.
 */
export function reportedVerdict(readings: readonly (Decided & { readonly source: "model" | "person" })[]) {
  const counting = readings.at(-1) ?? null;
  if (counting?.verdict !== "accepted" || !isPlacedByPerson(counting)) return counting?.verdict ?? null;
  return howPlaced(readings);
}
