/** Latest reading by the networks that was not withdrawn; `readings` of one film, oldest first. */
export function latestProposal<
  Reading extends { readonly source: "model" | "person"; readonly takenBackBy?: string | undefined },
>(readings: readonly Reading[]): Reading | null {
  return readings.findLast(({ source, takenBackBy }) => source === "model" && takenBackBy === undefined) ?? null;
}
