import type { Reading } from "../../core/contract/desktop/films.ts";

/** Whether a reading has values to show: one that was rejected has none, whoever rejected it. */
export function hasScore({ verdict, score, heart }: Reading): boolean {
  return verdict !== "rejected" && heart !== null && score !== null && score.vhs !== null;
}
