import type { Say } from "../../language/say.ts";
import type { ReferenceSource } from "./reference-range.ts";

/** A source in parts that follow each other: where it was printed, its identifier, and what there is to say of it. */
export function sourceParts(
  { citation, identifier, remark, isPeerReviewed }: ReferenceSource,
  say: Say,
): readonly string[] {
  const said = [
    citation,
    identifier,
    remark && say(`reference.source_${remark}`),
    isPeerReviewed ? null : say("reference.source_notPeerReviewed"),
  ];
  return said.filter((part) => part !== null);
}
