import dcmjs from "dcmjs";

const { dictionary } = dcmjs.data.DicomMetaDictionary;

/**
 * Representation of a standard attribute, `ox` for bytes or words; null for a tag that PS3.6 does not name.
 *
 * @param tag  eight hexadecimal digits in capitals
 */
export function standardRepresentation(tag: string): string | null {
  return dictionary[tag]?.vr ?? null;
}
