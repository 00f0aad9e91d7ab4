import type { Say } from "../../language/say.ts";
import type { ReferenceRange, ReferenceSource } from "./reference-range.ts";

/** A source in parts that follow each other: where it was printed, its identifier, and what there is to say of it. */
export function sourceParts({ citation, identifier, remark }: ReferenceSource, say: Say): readonly string[] {
  const said = [citation, identifier, remark && say(`reference.source_${remark}`)];
  return said.filter((part) => part !== null);
}

/**
 * Limits of a range on the handout, or within a sentence of the findings.
 *
 * @param shown  writes a limit as a person reads it
 */
export function limitsInWords(
  { low, high, isHighExcluded }: ReferenceRange,
  where: "handOut" | "findings",
  shown: (limit: number) => string,
  say: Say,
): string {
  if (low !== null) return say("handOut.fromTo", { low: shown(low), high: shown(high) });
  return say(isHighExcluded ? `${where}.lessThan` : "handOut.upTo", { high: shown(high) });
}

/**
 * Whose range it is: the breed's, or that of a species in general. Of an animal whose species nobody has named it says
 * that first.
 *
 * @param breed  as it is named here
 */
export function whoseRange(range: ReferenceRange, breed: string, isSpeciesKnown: boolean, say: Say): string {
  const whose = range.breed === null ? say(`reference.general_${range.species}`) : breed;
  return isSpeciesKnown ? whose : `${say("reference.speciesUnknown")}, ${whose}`;
}
