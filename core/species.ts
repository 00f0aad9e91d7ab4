/**
 * Species by the codes of SNOMED CT and SRT, else by the words that devices and practices write.
 *
 * @returns null where nothing is said
 * @see DICOM PS3.16 CID 7454
 */
export function speciesOf(text: string | null, code: string | null): "dog" | "cat" | "other" | null {
  if (code === "448771007" || code === "L-80700" || /^(canine|canis|dog|hund|chien|perro|cane|k9)\b/i.test(text ?? ""))
    return "dog";
  if (code === "448169003" || code === "L-80A00" || /^(feline|felis|cat|katze|chat|gato|gatto)\b/i.test(text ?? ""))
    return "cat";
  return text === null && code === null ? null : "other";
}
