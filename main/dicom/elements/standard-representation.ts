import { dicomLibrary } from "../results/dicom-library.ts";

/**
 * Value representation of a standard attribute: `ox` for bytes or words, `xs` for US or SS by Pixel Representation,
 * `lt` for the words of a look-up table, `up` for an offset in a file (UL); null for a tag that PS3.6 does not define.
 */
export function standardRepresentation(tag: string): string | null {
  return dicomLibrary().DicomMetaDictionary.dictionary[tag]?.vr ?? null;
}

/** Keyword of a standard attribute, such as `PatientName`; null for a tag that PS3.6 does not define. */
export function standardKeyword(tag: string): string | null {
  return dicomLibrary().DicomMetaDictionary.dictionary[tag]?.name ?? null;
}
