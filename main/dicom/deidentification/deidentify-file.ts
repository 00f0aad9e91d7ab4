import { dicomFileOf, parseDicomFile, type DicomFile, type ParsedDicom } from "../dicom-file.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";
import {
  asciiBytes,
  elementBytes,
  encapsulatedBytes,
  encodedElement,
  fragmentsOf,
  type DataSet,
  type Encoding,
} from "../writing/element-bytes.ts";
import { hasMorePixels, type CodecSource } from "../pixels/frame-words.ts";
import { describePicture } from "../pixels/picture-description.ts";
import { part10Header } from "../writing/part-10.ts";
import {
  deflatedLittleEndian,
  explicitBigEndian,
  explicitLittleEndian,
  implicitLittleEndian,
} from "../transfer-syntaxes.ts";
import { blankedPicture, storedFrame, type BlankedPicture } from "./blanked-picture.ts";
import { anonymousUid, deidentificationModule, type Deidentification } from "./deidentification.ts";
import { isMultiFrame } from "./one-frame.ts";
import { rewrittenElements } from "./rewritten-elements.ts";

/** Extended Offset Table, its lengths, and Encapsulated Pixel Data Value Total Length. */
const offsetTables = ["7FE00001", "7FE00002", "7FE00003"] as const;

/**
 * De-identifies a DICOM file by the basic profile of PS3.15 and keeps its transfer syntax. Of several frames, one is
 * kept. If areas are blanked or overlays share words with the samples, compressed pixels are written uncompressed.
 *
 * @throws AppError INVALID_DICOM, and decoding errors where pixels are re-encoded
 */
export async function deidentifyFile(
  bytes: Uint8Array,
  how: Deidentification,
  startCodec: CodecSource,
  onChecked: (pixels: number) => void = () => undefined,
): Promise<Uint8Array> {
  const parsed = parseDicomFile(bytes);
  const file = dicomFileOf(bytes, parsed);
  const encoding: Encoding = { isExplicit: parsed.isExplicit, isBigEndian: parsed.isBigEndian };
  const written = new Map(rewrittenElements(parsed.dataSet, file, { how, encoding }));
  const put = (added: DataSet) => {
    for (const [tag, element] of Object.entries(added)) written.set(tag, encodedElement(tag, element, encoding));
  };
  put(deidentificationModule(how));
  put({ "00100010": { vr: "PN", Value: [how.pseudonym] }, "00100020": { vr: "LO", Value: [how.pseudonym] } });
  const hasPicture = file.pixelData !== null;
  const isDecoded = hasPicture && (how.areas.length > 0 || hasEmbeddedOverlay(file));
  if (isDecoded) writePicture(written, await blankedPicture(file, how, startCodec, onChecked), encoding);
  else if (hasPicture) await writeStored(written, file, { how, encoding, startCodec });
  if (isMultiFrame(file)) put({ "00280008": { vr: "IS", Value: ["1"] } });
  const body = [...written.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, element]) => element);
  const header = part10Header({
    sopClassUid: file.text("00080016") ?? "",
    sopInstanceUid: anonymousUid(file.text("00080018") ?? "", how.secret, how.frameIndex),
    transferSyntaxUid: syntaxOf(parsed, isDecoded),
    sourceAeTitle: "",
  });
  return Buffer.concat([header, ...body]);
}

/** Reduces the pixel data to the chosen frame: other frames and trailing bytes were never reviewed. */
async function writeStored(
  written: Map<string, Uint8Array>,
  file: DicomFile,
  by: { readonly how: Deidentification; readonly encoding: Encoding; readonly startCodec: CodecSource },
): Promise<void> {
  if (!isMultiFrame(file) && !hasMorePixels(file, describePicture(file))) return;
  const frame = await storedFrame(file, by.how.frameIndex, by.startCodec);
  if ("coded" in frame) writeCoded(written, frame.coded, by.encoding);
  else writePicture(written, frame, by.encoding);
}

function writeCoded(written: Map<string, Uint8Array>, coded: Uint8Array, encoding: Encoding): void {
  for (const tag of offsetTables) written.delete(tag);
  written.set("7FE00010", encapsulatedBytes("7FE00010", fragmentsOf([new Uint8Array(), coded]), encoding));
}

function writePicture(written: Map<string, Uint8Array>, picture: BlankedPicture, encoding: Encoding): void {
  for (const tag of offsetTables) written.delete(tag);
  const us = (tag: string, value: number) =>
    void written.set(tag, encodedElement(tag, { vr: "US", Value: [value] }, encoding));
  if (picture.photometric) {
    us("00280002", 3);
    us("00280006", 0);
    us("00280100", 8);
    us("00280101", 8);
    us("00280102", 7);
    us("00280103", 0);
    written.set("00280004", elementBytes("00280004", "CS", asciiBytes(picture.photometric), encoding));
    for (const tag of [...written.keys()]) if (/^002811|^002812/.test(tag)) written.delete(tag);
  }
  const bytes = encoding.isBigEndian && picture.isInWords ? Buffer.from(picture.bytes).swap16() : picture.bytes;
  const vr = picture.isInWords || !encoding.isExplicit ? "OW" : "OB";
  written.set("7FE00010", elementBytes("7FE00010", vr, bytes, encoding));
}

/** Whether an overlay is stored in unused pixel bits: Overlay Bits Allocated above 1, or Bit Position above 0. */
function hasEmbeddedOverlay(elements: DicomElements): boolean {
  const isAbove = (tag: string, value: number) => (elements.number(tag) ?? 0) > value;
  return elements
    .tags()
    .some((tag) => (/^60..0100$/.test(tag) && isAbove(tag, 1)) || (/^60..0102$/.test(tag) && isAbove(tag, 0)));
}

function syntaxOf({ transferSyntaxUid, isExplicit }: ParsedDicom, isDecoded: boolean): string {
  if (!isExplicit) return implicitLittleEndian;
  if (transferSyntaxUid === explicitBigEndian) return explicitBigEndian;
  return isDecoded || transferSyntaxUid === deflatedLittleEndian || transferSyntaxUid === implicitLittleEndian
    ? explicitLittleEndian
    : transferSyntaxUid;
}
