import type { Say } from "../../language/say.ts";
import type { ReferenceRange, ReferenceSource } from "./reference-range.ts";

/** Source in consecutive parts: citation, identifier, caveat. */
export function sourceParts({ citation, identifier, remark }: ReferenceSource, say: Say): readonly string[] {
  const said = [citation, identifier, remark && say(`reference.source_${remark}`)];
  return said.filter((part) => part !== null);
}

/**
 * Limits of a range on the handout, or in a sentence of the findings.
 *
 * @param shown  formats a limit
 */
export function limitsInWords(
  { low, high, isHighExcluded }: ReferenceRange,
  where: "handout" | "findings",
  shown: (limit: number) => string,
  say: Say,
): string {
  if (low !== null) return say("handout.fromTo", { low: shown(low), high: shown(high) });
  return say(isHighExcluded ? `${where}.lessThan` : "handout.upTo", { high: shown(high) });
}

/**
 * Owner of a range: the breed, or the species in general; for an unknown species the text states that first.
 *
 * @param breed  localised name
 */
export function whoseRange(range: ReferenceRange, breed: string, isSpeciesKnown: boolean, say: Say): string {
  const whose = range.breed === null ? say(`reference.general_${range.species}`) : breed;
  return isSpeciesKnown ? whose : `${say("reference.speciesUnknown")}, ${whose}`;
}
