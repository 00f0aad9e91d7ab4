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

/** Name of a standard attribute in words, such as `Number of Frames`; null for a tag that PS3.6 does not define. */
export function standardName(tag: string): string | null {
  const words = standardKeyword(tag)
    ?.replace("VOILUT", "VOI LUT")
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ");
  return words?.replace(/(?<= )(Of|Per|The)(?= )/g, (word) => word.toLowerCase()) ?? null;
}

/** Name of a standard attribute with its tag: `Pixel Spacing (0028,0030)`. */
export function attributeName(tag: string): string {
  const name = standardName(tag)?.replace(/ Sequence$/, "") ?? "";
  return `${name} (${tag.slice(0, 4)},${tag.slice(4)})`;
}
