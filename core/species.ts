/** How practices and devices write a species, in the languages that they speak. */
const words = {
  dog: /^(domestic |haus)?(canin[eoa]?s?|canis|dogs?|hunde?|hündin|rüde|chien(ne)?s?|perr[oa]s?|cane|cani|cagna|cão|hond(en)?|k9)(?!\p{L})/iu,
  cat: /^(domestic |haus)?(felin[eoa]?s?|féline?s?|felis|cats?|katzen?|kater|chat(te)?s?|gat[oa]s?|gatt[oia]|kat(ten)?)(?!\p{L})/iu,
  unknown: /^(unknown|unspecified|unbekannt|inconnue?|n\/?a|[-?]+)$/i,
} as const;

/**
 * Species by the codes of SNOMED CT and SRT, otherwise by the words of devices and practices.
 *
 * @returns null if absent or unknown
 * @see DICOM PS3.16 CID 7454
 */
export function speciesOf(text: string | null, code: string | null): "dog" | "cat" | "other" | null {
  const written = text?.trim().normalize("NFC") ?? "";
  if (code === "448771007" || code === "L-80700" || words.dog.test(written)) return "dog";
  if (code === "448169003" || code === "L-80A00" || words.cat.test(written)) return "cat";
  const isSaid = [written, code?.trim() ?? ""].some((said) => said !== "" && !words.unknown.test(said));
  return isSaid ? "other" : null;
}

/** Whether two patients can be one and the same by their species; one that is not known speaks against nothing. */
export function canBeOne(one: "dog" | "cat" | null, other: "dog" | "cat" | null): boolean {
  return one === null || other === null || one === other;
}
