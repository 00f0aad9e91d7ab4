/**
 * Latest reading of the networks; null without one.
 *
 * @param readings  of one film, oldest first
 */
export function latestProposal<Reading extends { readonly source: "model" | "person" }>(
  readings: readonly Reading[],
): Reading | null {
  return readings.findLast(({ source }) => source === "model") ?? null;
}
