import { dicomLibrary } from "../results/dicom-library.ts";

/**
 * Representation of a standard attribute: `ox` for bytes or words, `xs` for US or SS by Pixel Representation, `lt` for
 * the words of a table, `up` for a place in a file (UL); null for a tag that PS3.6 does not name.
 *
 * @param tag  eight hexadecimal digits in capitals
 */
export function standardRepresentation(tag: string): string | null {
  return dicomLibrary().DicomMetaDictionary.dictionary[tag]?.vr ?? null;
}

/** Keyword of a standard attribute, `PatientName`; null for a tag that PS3.6 does not name. */
export function standardKeyword(tag: string): string | null {
  return dicomLibrary().DicomMetaDictionary.dictionary[tag]?.name ?? null;
}
