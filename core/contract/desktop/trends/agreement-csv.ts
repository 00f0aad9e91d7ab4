import { meanOf, shownDifference } from "../../../cardiac/agreement/agreement.ts";
import { roundScore } from "../../../cardiac/heart-score.ts";
import { csvText } from "../../../csv-text.ts";
import type { AgreementPair } from "./agreement.ts";

/** Omits patients. */
export function agreementCsv(measure: string, pairs: readonly AgreementPair[]): string {
  const header = ["decided", "measure", "network", "person", "difference", "mean", "decision", "confidence", "species"];
  const rows = pairs.map((pair) => [
    pair.at,
    measure,
    roundScore(pair.network),
    roundScore(pair.person),
    shownDifference(pair),
    roundScore(meanOf(pair)),
    pair.decision,
    pair.tier,
    pair.species,
    pair.pack?.name ?? null,
    pair.pack?.version ?? null,
  ]);
  return csvText([...header, "pack", "pack_version"], rows);
}
