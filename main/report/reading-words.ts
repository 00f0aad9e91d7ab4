import type { Reading } from "../../core/contract/desktop/readings.ts";

/** Review reasons of a reading; none for a rejected reading. */
export function reasonsToReview({ verdict, reviewReasons }: Reading): Reading["reviewReasons"] {
  return verdict === "rejected" ? [] : reviewReasons;
}
