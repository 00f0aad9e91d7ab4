import { dicomFileOf, parseDicomFile } from "../dicom-file.ts";
import type { CodecSource } from "../pixels/frame-words.ts";
import { explicitBigEndian, explicitLittleEndian, implicitLittleEndian } from "../transfer-syntaxes.ts";
import { elementBytes, encodedElement, type DataSet, type Encoding } from "../writing/element-bytes.ts";
import { part10Header } from "../writing/part-10.ts";
import { blankedPicture, type BlankedPicture } from "./blanked-picture.ts";
import { anonymousUid, deidentificationModule, type Deidentification } from "./deidentification.ts";
import { isMultiFrame } from "./one-frame.ts";
import { rewrittenElements } from "./rewritten-elements.ts";

const palette = /^00281[12]/;

/**
 * De-identifies a DICOM file by the basic profile of PS3.15. Of several frames, one is kept. The picture is decoded and
 * written uncompressed, since a codestream may contain texts and further pictures, and unused bits an overlay.
 *
 * @throws AppError INVALID_DICOM, and decoding errors
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
  if (file.pixelData !== null) {
    const picture = await blankedPicture(file, how, startCodec, onChecked);
    for (const tag of written.keys()) if (picture.isColour && palette.test(tag)) written.delete(tag);
    put(descriptionOf(picture));
    written.set("7FE00010", pixelData(picture, encoding));
  }
  if (isMultiFrame(file)) put({ "00280008": { vr: "IS", Value: ["1"] } });
  const body = [...written.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, element]) => element);
  const header = part10Header({
    sopClassUid: file.text("00080016") ?? "",
    sopInstanceUid: anonymousUid(file.text("00080018") ?? "", how.secret, how.frameIndex),
    transferSyntaxUid: syntaxOf(encoding),
    sourceAeTitle: "",
  });
  return Buffer.concat([header, ...body]);
}

function descriptionOf({ bitsAllocated, bitsStored, isSigned, isColour }: BlankedPicture): DataSet {
  const number = (value: number) => ({ vr: "US", Value: [value] });
  return {
    "00280100": number(bitsAllocated),
    "00280101": number(bitsStored),
    "00280102": number(bitsStored - 1),
    "00280103": number(isSigned ? 1 : 0),
    ...(isColour && {
      "00280002": number(3),
      "00280004": { vr: "CS", Value: ["RGB"] },
      "00280006": number(0),
    }),
  };
}

function pixelData({ bytes, bitsAllocated }: BlankedPicture, encoding: Encoding): Uint8Array {
  const isInWords = bitsAllocated === 16;
  const ordered = encoding.isBigEndian && isInWords ? Buffer.from(bytes).swap16() : bytes;
  return elementBytes("7FE00010", isInWords || !encoding.isExplicit ? "OW" : "OB", ordered, encoding);
}

function syntaxOf({ isExplicit, isBigEndian }: Encoding): string {
  if (!isExplicit) return implicitLittleEndian;
  return isBigEndian ? explicitBigEndian : explicitLittleEndian;
}
