import { dicomLibrary } from "../results/dicom-library.ts";

/**
 * Representation of a standard attribute, `ox` for bytes or words; null for a tag that PS3.6 does not name.
 *
 * @param tag  eight hexadecimal digits in capitals
 */
export function standardRepresentation(tag: string): string | null {
  return dicomLibrary().DicomMetaDictionary.dictionary[tag]?.vr ?? null;
}
