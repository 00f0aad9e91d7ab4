import type { Reading } from "../../core/contract/desktop/films.ts";

/** Whether a reading has values to show: one that was rejected has none, whoever rejected it. */
export function hasScore({ verdict, score, heart }: Reading): boolean {
  return verdict !== "rejected" && heart !== null && score !== null && score.vhs !== null;
}

/** Why a reading is to be reviewed; a rejected one no longer is. Readings of earlier versions do not say it. */
export function reasonsToReview({ verdict, reviewReasons }: Reading): Reading["reviewReasons"] {
  return verdict === "rejected" ? [] : reviewReasons;
}
