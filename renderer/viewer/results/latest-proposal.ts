import type { Reading } from "../../../core/contract/desktop/films.ts";

/** What the networks said last of a film, as its report and export have it; null where they said nothing. */
export function latestProposal(readings: readonly Reading[]): Reading | null {
  return readings.findLast(({ source }) => source === "model") ?? null;
}
