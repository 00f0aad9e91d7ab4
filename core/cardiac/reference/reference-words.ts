import type { Say } from "../../language/say.ts";
import type { ReferenceRange, ReferenceSource } from "./reference-range.ts";

/** Parts of a source in order: citation, identifier, remark. */
export function sourceParts({ citation, identifier, remark }: ReferenceSource, say: Say): readonly string[] {
  const parts = [citation, identifier, remark && say(`reference.source_${remark}`)];
  return parts.filter((part) => part !== null);
}

/** Limits by themselves, as on the handout and the page, or for a sentence of the findings. */
export function limitsInWords(
  { low, high, isHighExcluded }: Pick<ReferenceRange, "low" | "high" | "isHighExcluded">,
  where: "handout" | "findings",
  shown: (limit: number) => string,
  say: Say,
): string {
  if (low !== null) return say("handout.fromTo", { low: shown(low), high: shown(high) });
  return say(isHighExcluded ? `${where}.lessThan` : "handout.upTo", { high: shown(high) });
}

/** The breed, by its localised name, or the species, preceded by a remark if the species is unknown. */
export function whoseRange(range: ReferenceRange, breed: string, isSpeciesKnown: boolean, say: Say): string {
  const whose = range.breed === null ? say(`reference.general_${range.species}`) : breed;
  return isSpeciesKnown ? whose : `${say("reference.speciesUnknown")}, ${whose}`;
}
