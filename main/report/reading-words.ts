import type { Reading } from "../../core/contract/desktop/films.ts";

/** Why a reading is to be reviewed; a rejected one no longer is. Readings of earlier versions do not say it. */
export function reasonsToReview({ verdict, reviewReasons }: Reading): Reading["reviewReasons"] {
  return verdict === "rejected" ? [] : reviewReasons;
}
