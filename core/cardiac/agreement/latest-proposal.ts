/** What the networks said last of a film, out of its readings, the oldest first; null where they said nothing. */
export function latestProposal<Reading extends { readonly source: "model" | "person" }>(
  readings: readonly Reading[],
): Reading | null {
  return readings.findLast(({ source }) => source === "model") ?? null;
}
