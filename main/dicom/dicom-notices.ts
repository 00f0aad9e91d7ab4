import { isUtf8 } from "node:buffer";
import { because, type Reason } from "../../core/app-error.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import type { DicomFile } from "./dicom-file.ts";
import { unknownCharacterSets } from "./elements/character-set.ts";
import { attributeName } from "./elements/standard-representation.ts";
import { isPairUnusable } from "./pixel-grid.ts";
import { hasExcessPixels } from "./pixels/frame-words.ts";
import { isTableUnusable } from "./pixels/look-up-table.ts";

const pairs = ["00280030", "00181164", "00182010", "00280034"];

/** Other numbers that determine millimetres or grey levels; ignored if unreadable. */
const numbers =
  `00181114 00181602 00181604 00181606 00181608 00181610 00181612 00181620 00181702 00181704 00181706 00181708
  00181710 00181712 00181720 00280002 00280006 00280008 00280101 00280102 00280103 00280120 00280121 00281050 00281051
  00281052 00281053`.split(/\s+/);

const tables = ["00283000", "00283010"];

const namedGroups: ReadonlySet<string> = new Set(["0008", "0010", "0032", "0040"]);

/** Lists the attributes that affect the picture or a measurement but are ignored because they are unusable. */
export function noticesOf(file: DicomFile): readonly Reason[] {
  const unusable = [
    ...pairs.filter((tag) => isPairUnusable(file, tag)),
    ...numbers.filter((tag) => file.isUnreadable(tag)),
    ...["00281053"].filter((tag) => file.number(tag) === 0),
  ];
  const broken = tables.filter((tag) => file.items(tag).some((item) => isTableUnusable(item, "00283002", "00283006")));
  return [
    ...unusable.map((tag) => because("dicomAttributeIgnored", { attribute: attributeName(tag) })),
    ...broken.map((tag) => because("dicomTableIgnored", { attribute: attributeName(tag) })),
    ...polarityNotices(file),
    ...(hasExcessPixels(file) ? [because("dicomExcessPixels")] : []),
    ...undecodedSets(file).map((name) => because("dicomCharacterSetUnknown", { name: name.slice(0, 40) })),
  ];
}

/** Adds the notice that requires a decoded picture: a window or table that would hide the film. */
export function withNoticesOfPicture(
  instance: DicomInstance,
  { isWindowIgnored = false }: { readonly isWindowIgnored?: boolean },
): DicomInstance {
  return isWindowIgnored ? { ...instance, notices: [...instance.notices, because("dicomWindowIgnored")] } : instance;
}

/** Photometric Interpretation and Presentation LUT Shape may contradict each other. @see DICOM PS3.3 C.8.11.3 */
function polarityNotices(file: DicomFile): readonly Reason[] {
  const [photometric, shape] = [file.text("00280004")?.toUpperCase(), file.text("20500020")];
  const contradicts =
    (photometric === "MONOCHROME1" && shape === "IDENTITY") || (photometric === "MONOCHROME2" && shape === "INVERSE");
  return contradicts ? [because("dicomPolarityContradicts", { photometric, shape })] : [];
}

/** Unknown character sets of a file whose texts on patient, owner, practice or study are not valid UTF-8. */
function undecodedSets(file: DicomFile): readonly string[] {
  const unknown = unknownCharacterSets(file.texts("00080005"));
  if (unknown.length === 0) return [];
  const named = file.tags().filter((tag) => namedGroups.has(tag.slice(0, 4)));
  return named.some((tag) => !isUtf8(file.bytes(tag) ?? new Uint8Array())) ? unknown : [];
}
