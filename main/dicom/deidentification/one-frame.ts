import type { DicomElements } from "../elements/dicom-elements.ts";

/** Per-Frame Functional Groups Sequence: one item per frame, in order. */
export const perFrameGroups = "52009230";

/** Attributes that describe several frames together: their order, meaning, or position in a longer series. */
const ofFrames: ReadonlySet<string> = new Set(
  `00280009 0028000A 00081160 00082142 00082143 00082144 00181063 00181065 00181066 00180040 00180072 00181242 00181244
  00182001 00182002 00182003 00182004 00182005 00182006 00181520 00181521 00181135 00181136 00181137 00186060
  00200242 00209161 00209162 00209163 00209221 00209222 00209228
  00286010 00286020 00286022 00286023 00286100 00286101
  00540010 00540020 00540030 00540050 00540060 00540070 00540080 00540090 00540100`.split(/\s+/),
);

export function isMultiFrame(elements: DicomElements): boolean {
  return (elements.number("00280008") ?? 1) > 1;
}

export function isSharedByFrames(tag: string): boolean {
  return ofFrames.has(tag);
}

/** Index of the referenced frame, 0 for the first. If several are referenced, the first listed counts. */
export function referencedFrame(item: DicomElements): number {
  const number = item.number("00081160") ?? 1;
  return Number.isInteger(number) && number > 1 ? number - 1 : 0;
}
