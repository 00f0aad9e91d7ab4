import { isUtf8 } from "node:buffer";
import { because, type Reason } from "../../core/app-error.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import type { DicomFile } from "./dicom-file.ts";
import { unknownCharacterSets } from "./elements/character-set.ts";
import { isPairUnusable } from "./pixel-grid.ts";
import { hasExcessPixels } from "./pixels/frame-words.ts";
import { isTableUnusable } from "./pixels/look-up-table.ts";

const pairs = {
  "00280030": "Pixel Spacing",
  "00181164": "Imager Pixel Spacing",
  "00182010": "Nominal Scanned Pixel Spacing",
  "00280034": "Pixel Aspect Ratio",
} as const;

/** Other numbers that determine millimetres or grey levels; ignored if unreadable. */
const numbers = {
  "00181114": "Estimated Radiographic Magnification Factor",
  "00181602": "Shutter Left Vertical Edge",
  "00181604": "Shutter Right Vertical Edge",
  "00181606": "Shutter Upper Horizontal Edge",
  "00181608": "Shutter Lower Horizontal Edge",
  "00181610": "Center of Circular Shutter",
  "00181612": "Radius of Circular Shutter",
  "00181620": "Vertices of the Polygonal Shutter",
  "00181702": "Collimator Left Vertical Edge",
  "00181704": "Collimator Right Vertical Edge",
  "00181706": "Collimator Upper Horizontal Edge",
  "00181708": "Collimator Lower Horizontal Edge",
  "00181710": "Center of Circular Collimator",
  "00181712": "Radius of Circular Collimator",
  "00181720": "Vertices of the Polygonal Collimator",
  "00280002": "Samples per Pixel",
  "00280006": "Planar Configuration",
  "00280008": "Number of Frames",
  "00280101": "Bits Stored",
  "00280102": "High Bit",
  "00280103": "Pixel Representation",
  "00280120": "Pixel Padding Value",
  "00280121": "Pixel Padding Range Limit",
  "00281050": "Window Center",
  "00281051": "Window Width",
  "00281052": "Rescale Intercept",
  "00281053": "Rescale Slope",
} as const;

const tables = { "00283000": "Modality LUT", "00283010": "VOI LUT" } as const;

/** Groups that contain the texts on patient, owner, practice and study. */
const namedGroups: ReadonlySet<string> = new Set(["0008", "0010", "0032", "0040"]);

/** Lists the attributes that affect the picture or a measurement but are ignored because they are unusable. */
export function noticesOf(file: DicomFile): readonly Reason[] {
  const unusable = [
    ...named(pairs, (tag) => isPairUnusable(file, tag)),
    ...named(numbers, (tag) => file.isUnreadable(tag)),
    ...named({ "00281053": "Rescale Slope" }, (tag) => file.number(tag) === 0),
  ];
  const broken = named(tables, (tag) => file.items(tag).some((item) => isTableUnusable(item, "00283002", "00283006")));
  return [
    ...unusable.map((attribute) => because("dicomAttributeIgnored", { attribute })),
    ...broken.map((attribute) => because("dicomTableIgnored", { attribute })),
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

function named(attributes: Readonly<Record<string, string>>, matches: (tag: string) => boolean): readonly string[] {
  return Object.entries(attributes)
    .filter(([tag]) => matches(tag))
    .map(([tag, name]) => `${name} (${tag.slice(0, 4)},${tag.slice(4)})`);
}
