/** Words for species in the languages of the practices and devices. */
const words = {
  dog: /^(domestic |haus)?(canin[eoa]?s?|canis|dogs?|hunde?|hündin|rüde|chien(ne)?s?|perr[oa]s?|cane|cani|cagna|cão|hond(en)?|k9)(?!\p{L})/iu,
  cat: /^(domestic |haus)?(felin[eoa]?s?|féline?s?|felis|cats?|katzen?|kater|chat(te)?s?|gat[oa]s?|gatt[oia]|kat(ten)?)(?!\p{L})/iu,
  unknown: /^(unknown|unspecified|unbekannt|inconnue?|n\/?a|[-?]+)$/i,
} as const;

/**
 * Recognises a species by its SNOMED CT or SRT code, otherwise by words that devices and practices use.
 *
 * @returns  null if absent or unknown
 * @see DICOM PS3.16 CID 7454
 */
export function speciesOf(text: string | null, code: string | null): "dog" | "cat" | "other" | null {
  const written = text?.trim().normalize("NFC") ?? "";
  if (code === "448771007" || code === "L-80700" || words.dog.test(written)) return "dog";
  if (code === "448169003" || code === "L-80A00" || words.cat.test(written)) return "cat";
  const isStated = [written, code?.trim() ?? ""].some((value) => value !== "" && !words.unknown.test(value));
  return isStated ? "other" : null;
}

/** Whether the species of two records allow that they are the same patient. An unknown species matches any. */
export function areSpeciesCompatible(one: "dog" | "cat" | null, other: "dog" | "cat" | null): boolean {
  return one === null || other === null || one === other;
}
