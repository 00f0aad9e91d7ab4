import type { DataSet, Element } from "dicom-parser";
import { actionOf } from "../../../core/deidentification/attribute-action.ts";
import { cleanDescriptor } from "../../../core/deidentification/clean-descriptor.ts";
import { shiftDicomDate } from "../../../core/deidentification/shift-date.ts";
import { elementsOf, type DicomElements } from "../elements/dicom-elements.ts";
import { standardRepresentation } from "../elements/standard-representation.ts";
import { anonymousUid, type Deidentification } from "./deidentification.ts";
import { dummyCode, dummyValue } from "./dummy-value.ts";
import { asciiBytes, elementBytes, sequenceBytes, type Encoding } from "../writing/element-bytes.ts";
import { isMultiFrame, isSharedByFrames, perFrameGroups, referencedFrame } from "./one-frame.ts";

export type Rewriting = { readonly how: Deidentification; readonly encoding: Encoding; readonly isItem?: boolean };

/** Attributes kept although a gateway wrote them as UN; all other content of unknown representation is removed. */
const neededUnknown = new Set(["00080005", "00080008", "00080016", "00080060", "00185101", "00200020"]);
const [ownObject, referencedObject] = ["00080018", "00081155"];
const trailingPadding = "FFFCFFFC";
/** Pixel data and offset tables: the caller writes the picture that the user has viewed. */
const pixelGroup = "7FE0";

/** Rewrites a data set by the profile, without group lengths, padding, pixels, and elements that PS3.6 does not define. */
export function rewrittenElements(
  dataSet: DataSet,
  elements: DicomElements,
  rewriting: Rewriting,
): ReadonlyMap<string, Uint8Array> {
  const written = new Map<string, Uint8Array>();
  for (const tag of [...elements.tags()].sort()) {
    const element = dataSet.elements[`x${tag.toLowerCase()}`] as Element;
    const bytes = rewrittenElement(tag, { dataSet, element, elements }, rewriting);
    if (bytes !== null) written.set(tag, bytes);
  }
  return written;
}

type Place = { readonly dataSet: DataSet; readonly element: Element; readonly elements: DicomElements };

function rewrittenElement(tag: string, place: Place, rewriting: Rewriting): Uint8Array | null {
  const { dataSet, element, elements } = place;
  const { how, encoding } = rewriting;
  const known = standardRepresentation(tag);
  const { action, basic, vr } = actionOf(tag, how.choices, known);
  const written = representationOf(element, vr, known, encoding);
  if (
    tag.endsWith("0000") ||
    tag === trailingPadding ||
    tag.startsWith(pixelGroup) ||
    isForeign(tag, known, written, element)
  )
    return null;
  if (isOfOtherFrames(tag, elements, rewriting)) return null;
  const plain = (value: Uint8Array) => elementBytes(tag, written, value, encoding);
  const isSequence = element.items !== undefined || written === "SQ";
  const otherwise = (instead: typeof action): Uint8Array | null => {
    switch (instead) {
      case "remove":
        return null;
      case "empty":
        return isSequence ? sequenceBytes(tag, [], encoding) : plain(new Uint8Array());
      case "dummy":
        return isSequence ? dummySequence(tag, encoding) : dummy(tag, written, rewriting);
      case "uid":
        return isSequence
          ? itemsOf(tag, place, rewriting)
          : plain(asciiBytes(newUids(elements.texts(tag), how.secret, frameNamed(tag, elements, rewriting))));
      case "shift": {
        const moved =
          written === "TM"
            ? elements.texts(tag).join("\\")
            : shiftDicomDate(elements.texts(tag).join("\\"), how.shiftDays);
        return isSequence || moved === null || !isShiftable(written) ? otherwise(basic) : plain(asciiBytes(moved));
      }
      case "clean": {
        const cleaned = elements.texts(tag).map(cleanDescriptor).join("\\");
        return isSequence || cleaned === "" || !isText(written) ? otherwise(basic) : plain(asciiBytes(cleaned));
      }
      case "keep":
        return isSequence ? itemsOf(tag, place, rewriting) : plain(valueOf(dataSet, element));
    }
  };
  return otherwise(action);
}

function isForeign(tag: string, known: string | null, written: string, { items }: Element): boolean {
  if (known === null) return true;
  // A sequence whose items were not parsed.
  if (written === "UN" && known === "SQ" && items === undefined) return true;
  return written === "UN" && !tag.startsWith("0028") && !neededUnknown.has(tag);
}

function representationOf(
  { vr, items }: Element,
  ofTable: string,
  known: string | null,
  { isExplicit }: Encoding,
): string {
  if (items) return vr === "UN" ? "UN" : "SQ";
  if (isExplicit && vr !== undefined) return vr;
  if (ofTable !== "-") return ofTable;
  return known ?? "UN";
}

function itemsOf(tag: string, { element, elements }: Place, rewriting: Rewriting): Uint8Array {
  const read = elements.items(tag);
  const parsed = (element.items ?? []).flatMap(({ dataSet }) => (dataSet ? [dataSet] : []));
  const inside = { ...rewriting, isItem: true };
  const items = parsed.map((item, index) =>
    Buffer.concat([...rewrittenElements(item, read[index] ?? elementsOf(item, rewriting.encoding), inside).values()]),
  );
  if (tag === perFrameGroups && isMultiFrame(elements))
    return sequenceBytes(tag, items.slice(rewriting.how.frameIndex, rewriting.how.frameIndex + 1), rewriting.encoding);
  return sequenceBytes(tag, items, rewriting.encoding);
}

function dummy(tag: string, vr: string, { how, encoding }: Rewriting): Uint8Array | null {
  const value = vr === "UI" ? asciiBytes(anonymousUid(`removed ${tag}`, how.secret)) : dummyValue(vr);
  return value && elementBytes(tag, vr, value, encoding);
}

function dummySequence(tag: string, encoding: Encoding): Uint8Array {
  const item = dummyCode.map(([at, vr, value]) => elementBytes(at, vr, asciiBytes(value), encoding));
  return sequenceBytes(tag, [Buffer.concat(item)], encoding);
}

function newUids(uids: readonly string[], secret: string, frameIndex: number): string {
  return uids.map((uid) => (uid === "" ? "" : anonymousUid(uid, secret, frameIndex))).join("\\");
}

/** Frames are exported as separate objects, so a frame number next to the object's UID is meaningless. */
function isOfOtherFrames(tag: string, elements: DicomElements, { isItem }: Rewriting): boolean {
  if (tag === "00081160") return elements.has(referencedObject);
  return !isItem && isMultiFrame(elements) && isSharedByFrames(tag);
}

/** Index of the frame that a UID identifies; 0 unless it is the UID of this object or of a referenced one. */
function frameNamed(tag: string, elements: DicomElements, { how, isItem }: Rewriting): number {
  if (tag === ownObject && !isItem) return how.frameIndex;
  return tag === referencedObject ? referencedFrame(elements) : 0;
}

function isShiftable(vr: string): boolean {
  return vr === "DA" || vr === "DT" || vr === "TM";
}

function isText(vr: string): boolean {
  return ["LO", "SH", "ST", "LT", "UT", "CS", "UC"].includes(vr);
}

function valueOf({ byteArray }: DataSet, { dataOffset, length }: Element): Uint8Array {
  return byteArray.subarray(dataOffset, dataOffset + length);
}
