import { inflateRawSync, unzipSync } from "node:zlib";
import dicomParser, { type DataSet, type Element } from "dicom-parser";
import { AppError, because } from "../../core/app-error.ts";
import { BoundedStream } from "./bounded-stream.ts";
import { elementsOf, type DicomElements } from "./elements/dicom-elements.ts";
import { encapsulatedFrames, type EncapsulatedFrames } from "./encapsulated-frames.ts";
import {
  deflatedLittleEndian,
  explicitBigEndian,
  explicitLittleEndian,
  implicitLittleEndian,
} from "./transfer-syntaxes.ts";

export type DicomFile = DicomElements & {
  readonly transferSyntaxUid: string;
  readonly isBigEndian: boolean;
  /** All bytes after group 0002. */
  readonly dataSet: Uint8Array;
  readonly sender: string | null;
  readonly pixelData:
    | { readonly kind: "native"; readonly bytes: Uint8Array; readonly isInWords: boolean }
    | { readonly kind: "encapsulated"; readonly frame: EncapsulatedFrames }
    | null;
};

const inflatedLimitBytes = 256 * 1024 * 1024;

const preambleBytes = 128;

/** Whether bytes start with `DICM` after the preamble, or with a plausible element of group 0002 or 0008. */
export function isDicom(bytes: Uint8Array): boolean {
  return headerStart(bytes) !== null;
}

/** Offset of group 0002 or of the data set. Some writers omit the preamble, the prefix or both. */
function headerStart(bytes: Uint8Array): number | null {
  if (hasMark(bytes, preambleBytes)) return preambleBytes + 4;
  if (isFirstElement(bytes, 0)) return 0;
  if (hasMark(bytes, 0) && isFirstElement(bytes, 4)) return 4;
  const isBlank = bytes.length > preambleBytes && bytes.subarray(0, preambleBytes).every((byte) => byte === 0);
  const places = isBlank ? [preambleBytes, preambleBytes + 4] : [];
  return places.find((at) => groupAt(bytes, at) === 2 && isFirstElement(bytes, at)) ?? null;
}

export type ParsedDicom = {
  readonly dataSet: DataSet;
  /** Bytes that the offsets of the elements refer to. */
  readonly body: Uint8Array;
  /** Offset of the data set in the file [bytes]. */
  readonly startsAt: number;
  readonly isExplicit: boolean;
  readonly isBigEndian: boolean;
  readonly transferSyntaxUid: string;
  readonly sender: string | null;
};

/** Reads a DICOM file, with or without preamble and header. @throws AppError INVALID_DICOM */
export function readDicomFile(bytes: Uint8Array): DicomFile {
  return dicomFileOf(bytes, parseDicomFile(bytes));
}

export function dicomFileOf(bytes: Uint8Array, parsed: ParsedDicom): DicomFile {
  const { dataSet, body, startsAt, isBigEndian, transferSyntaxUid, sender } = parsed;
  const elements = elementsOf(dataSet, { isBigEndian });
  return {
    ...elements,
    transferSyntaxUid,
    isBigEndian,
    dataSet: bytes.subarray(startsAt),
    sender,
    pixelData: pixelDataOf(body, dataSet.elements["x7fe00010"], elements),
  };
}

/** Parses a DICOM file without reading values. @throws AppError INVALID_DICOM */
export function parseDicomFile(bytes: Uint8Array): ParsedDicom {
  const begin = headerStart(bytes);
  if (begin === null) throw new AppError("INVALID_DICOM", because("notDicom"));
  const header = readHeader(bytes, begin);
  const transferSyntaxUid = header.transferSyntaxUid ?? guessedSyntax(bytes, header.end);
  const isBigEndian = transferSyntaxUid === explicitBigEndian;
  const [body, start] =
    transferSyntaxUid === deflatedLittleEndian ? [inflated(bytes.subarray(header.end)), 0] : [bytes, header.end];
  const dataSet = newDataSet(body);
  // Some writers declare the wrong syntax, so the bytes decide whether value representations are present.
  const isExplicit = isRepresentation(body, start + 4);
  try {
    if (start < body.length) readElements(dataSet, new BoundedStream(body, start, isBigEndian), isExplicit);
  } catch (error) {
    if (!isBehindContents(dataSet, body)) throw error;
  }
  if (Object.keys(dataSet.elements).length === 0) throw new AppError("INVALID_DICOM", because("dicomEmpty"));
  return { dataSet, body, startsAt: header.end, isExplicit, isBigEndian, transferSyntaxUid, sender: header.sender };
}

/** Reads a data set to its end. A broken private sequence of defined length is kept without items. */
function readElements(dataSet: DataSet, stream: BoundedStream, isExplicit: boolean): void {
  while (stream.position < stream.byteArray.length) {
    const at = stream.position;
    const read = () =>
      isExplicit
        ? dicomParser.readDicomElementExplicit(stream, dataSet.warnings)
        : dicomParser.readDicomElementImplicit(stream);
    let element: Element;
    try {
      element = parsing(stream, read);
    } catch (error) {
      const skipped = isExplicit ? stream.skipPrivateSequence(at) : null;
      if (skipped === null) throw error;
      element = skipped;
    }
    dataSet.elements[element.tag] = element;
  }
}

function pixelDataOf(bytes: Uint8Array, element: Element | undefined, elements: DicomElements): DicomFile["pixelData"] {
  if (element === undefined) return null;
  if (element.encapsulatedPixelData)
    return { kind: "encapsulated", frame: encapsulatedFrames(bytes, element, elements.bytes("7FE00001")) };
  const value = bytes.subarray(element.dataOffset, element.dataOffset + element.length);
  return { kind: "native", bytes: value, isInWords: element.vr !== "OB" };
}

/** Whether the unparsed bytes follow the picture, or are only a line end or similar. */
function isBehindContents({ elements }: DataSet, body: Uint8Array): boolean {
  const last = Object.values(elements).at(-1);
  if (last === undefined) return false;
  const rest = body.subarray(last.dataOffset + last.length);
  return (
    elements["x7fe00010"] !== undefined ||
    (rest.length < 8 && rest.every((byte) => [0x00, 0x0a, 0x0d, 0x20].includes(byte)))
  );
}

/** Reads group 0002, always little endian. Some writers use implicit VR; of duplicated elements the first counts. */
function readHeader(
  bytes: Uint8Array,
  start: number,
): { readonly transferSyntaxUid: string | null; readonly sender: string | null; readonly end: number } {
  if (groupAt(bytes, start) !== 2) return { transferSyntaxUid: null, sender: null, end: start };
  const header = newDataSet(bytes);
  const stream = new BoundedStream(bytes, start, false);
  while (groupAt(bytes, stream.position) === 2) {
    const isExplicit = isRepresentation(bytes, stream.position + 4);
    const element = parsing(stream, () =>
      isExplicit
        ? dicomParser.readDicomElementExplicit(stream, header.warnings)
        : dicomParser.readDicomElementImplicit(stream),
    );
    header.elements[element.tag] ??= element;
  }
  const { text } = elementsOf(header, { isBigEndian: false });
  return { transferSyntaxUid: text("00020010"), sender: text("00020016"), end: stream.position };
}

/** Runs dicom-parser and converts its errors, whose messages name its functions. */
function parsing<Value>(stream: BoundedStream, read: (stream: BoundedStream) => Value): Value {
  try {
    return read(stream);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (cause instanceof RangeError) throw new AppError("INVALID_DICOM", because("dicomNestedTooDeeply"), { cause });
    throw new AppError("INVALID_DICOM", because("dicomDamagedAt", { element: stream.elementName() }), { cause });
  }
}

function inflated(bytes: Uint8Array): Uint8Array {
  const options = { maxOutputLength: inflatedLimitBytes };
  try {
    return inflateRawSync(bytes, options);
  } catch (cause) {
    // Some writers add a zlib or gzip header.
    const isWrapped = (bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 0)) % 31 === 0) || bytes[0] === 0x1f;
    if (isWrapped) return unwrapped(bytes, options);
    throw new AppError("INVALID_DICOM", because("dicomNotInflated"), { cause });
  }
}

function unwrapped(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array {
  try {
    return unzipSync(bytes, options);
  } catch (cause) {
    throw new AppError("INVALID_DICOM", because("dicomNotInflated"), { cause });
  }
}

function guessedSyntax(bytes: Uint8Array, at: number): string {
  if (!isRepresentation(bytes, at + 4)) return implicitLittleEndian;
  return bytes[at] === 0 ? explicitBigEndian : explicitLittleEndian;
}

function hasMark(bytes: Uint8Array, at: number): boolean {
  return bytes.length > at + 4 && Buffer.from(bytes.subarray(at, at + 4)).toString("latin1") === "DICM";
}

function isFirstElement(bytes: Uint8Array, at: number): boolean {
  if (bytes.length < at + 8) return false;
  if (isRepresentation(bytes, at + 4)) return [0x0002, 0x0008, 0x0800].includes(groupAt(bytes, at));
  const length = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32LE(at + 4);
  return [2, 8].includes(groupAt(bytes, at)) && length < 65_536 && at + 8 + length <= bytes.length;
}

function isRepresentation(bytes: Uint8Array, at: number): boolean {
  return /^(A[ETS]|CS|D[AST]|F[LD]|IS|L[OT]|O[BDFLVW]|PN|S[HLQSTV]|TM|U[CILNRSTV])$/.test(
    String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0),
  );
}

/** Group of the element at an offset, -1 past the end. */
function groupAt(bytes: Uint8Array, at: number): number {
  return at + 4 > bytes.length ? -1 : (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256;
}

function newDataSet(byteArray: Uint8Array): DataSet {
  return { byteArray, elements: {}, warnings: [] as string[] } as unknown as DataSet;
}
