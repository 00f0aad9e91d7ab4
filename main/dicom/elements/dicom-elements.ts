import type { DataSet, Element } from "dicom-parser";
import { decimalNumber } from "../../../core/decimal-number.ts";
import { textDecodingOf, wholeTexts, type TextDecoding } from "./character-set.ts";
import { standardRepresentation } from "./standard-representation.ts";

/** Element values of a data set or of a sequence item. Tags are eight hexadecimal digits: `"00100010"`. */
export type ElementValues = {
  /** First value, decoded by the Specific Character Set, padding trimmed; null when missing or empty. */
  text(tag: string): string | null;
  texts(tag: string): readonly string[];
  /** All values of a numeric element, stored as text or binary; empty if any of them is not a number. */
  numbers(tag: string): readonly number[];
  /** First value; null when missing or not a number. */
  number(tag: string): number | null;
  items(tag: string): readonly ElementValues[];
  has(tag: string): boolean;
};

export type DicomElements = Omit<ElementValues, "items"> & {
  items(tag: string): readonly DicomElements[];
  /** Whether the element has a value and any part of it is not a number. */
  isUnreadable(tag: string): boolean;
  /** The raw value; null when missing or encapsulated. */
  bytes(tag: string): Uint8Array | null;
  /** Tags of all elements in file order, in capitals, without delimitation items. */
  tags(): readonly string[];
};

const textRepresentations: ReadonlySet<string> = new Set(
  "AE AS CS DA DS DT IS LO LT PN SH ST TM UC UI UR UT".split(" "),
);
const binaryRepresentations: ReadonlySet<string> = new Set("US SS UL SL FL FD AT OW".split(" "));

type Writing = { readonly isBigEndian: boolean; readonly decode: TextDecoding; readonly isSigned: boolean | undefined };

const delimiters = "FFFE";

/**
 * Maximum size of a text or numeric value [bytes]; the rest is ignored. A longer list of values can exhaust the memory
 * even of a thread with limits, and V8 then ends the whole program.
 */
const valueLimitBytes = 1024 * 1024;

export function elementsOf(
  dataSet: DataSet,
  inherited: { readonly isBigEndian: boolean; readonly decode?: TextDecoding; readonly isSigned?: boolean | undefined },
): DicomElements {
  const find = (tag: string): Element | undefined => dataSet.elements[`x${tag.toLowerCase()}`];
  const bytes = (tag: string) => {
    const element = find(tag);
    return element === undefined || element.encapsulatedPixelData ? null : valueOf(dataSet, element);
  };
  const writing = writingOf(bytes, inherited);
  const beginning = (tag: string) => bytes(tag)?.subarray(0, valueLimitBytes) ?? null;
  // Implicit syntax states none, and gateways write UN for elements that they do not know. The bytes of both are in the
  // standard's representation.
  const representationOf = (tag: string) => {
    const written = find(tag)?.vr;
    return written === undefined || written === "UN" ? standardRepresentation(tag) : written;
  };
  const texts = (tag: string) => {
    const value = beginning(tag);
    return value === null ? [] : textsOf(value, representationOf(tag), writing.decode);
  };
  /** Values in order, NaN for each that is not a number; empty ones are omitted. */
  const values = (tag: string): readonly number[] => {
    const value = beginning(tag);
    if (value === null || value.length === 0) return [];
    const representation = numericRepresentation(find(tag)?.vr, standardRepresentation(tag), writing.isSigned);
    const isText = representation === null || textRepresentations.has(representation);
    if (!isText) return binaryNumbers(value, representation, writing);
    return textsOf(value, "DS", writing.decode)
      .filter((text) => text !== "")
      .map(decimalNumber);
  };
  const numbers = (tag: string) => {
    const all = values(tag);
    return all.every(Number.isFinite) ? all : [];
  };
  return {
    texts,
    numbers,
    bytes,
    text: (tag) => texts(tag)[0] || null,
    number: (tag) => {
      const [first] = values(tag);
      return first !== undefined && Number.isFinite(first) ? first : null;
    },
    isUnreadable: (tag) => values(tag).some((value) => !Number.isFinite(value)),
    items: (tag) =>
      (find(tag)?.items ?? []).flatMap((item) => (item.dataSet ? [elementsOf(item.dataSet, writing)] : [])),
    has: (tag) => find(tag) !== undefined,
    tags: () =>
      Object.keys(dataSet.elements)
        .map((key) => key.slice(1).toUpperCase())
        .filter((tag) => !tag.startsWith(delimiters)),
  };
}

/**
 * Representation by which a numeric value is read. A written text or binary representation is accepted instead of the
 * standard's. Where the standard allows US or SS, Pixel Representation decides; the written one counts only without it
 * (as in presentation states).
 */
function numericRepresentation(
  written: string | undefined,
  standard: string | null,
  isSigned: boolean | undefined,
): string | null {
  if (written === undefined || written === "UN") return standard;
  if ((written === "US" || written === "SS") && standard === "xs") return isSigned === undefined ? written : standard;
  if (textRepresentations.has(written) || binaryRepresentations.has(written)) return written;
  return standard;
}

function writingOf(bytes: (tag: string) => Uint8Array | null, inherited: Parameters<typeof elementsOf>[1]): Writing {
  const names = textsOf(bytes("00080005")?.subarray(0, valueLimitBytes) ?? null, "CS", latin);
  const signed = bytes("00280103")?.[inherited.isBigEndian ? 1 : 0];
  return {
    isBigEndian: inherited.isBigEndian,
    decode: names.length === 0 && inherited.decode ? inherited.decode : textDecodingOf(names),
    isSigned: signed === undefined ? inherited.isSigned : signed === 1,
  };
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function valueOf(dataSet: DataSet, { dataOffset, length }: Element): Uint8Array {
  return dataSet.byteArray.subarray(dataOffset, dataOffset + length);
}

/** Splits values and removes padding: spaces, or zeros of some writers. Leading spaces count in `wholeTexts` only. */
function textsOf(bytes: Uint8Array | null, representation: string | null, decode: TextDecoding): string[] {
  if (bytes === null || bytes.length === 0) return [];
  const text = decode(bytes, representation).replace(/[\0 ]+$/, "");
  if (text === "") return [];
  return representation !== null && wholeTexts.has(representation)
    ? [text]
    : text.split("\\").map((value) => value.replace(/^[\0\s]+|[\0\s]+$/g, ""));
}

function binaryNumbers(value: Uint8Array, representation: string, { isBigEndian, isSigned }: Writing): number[] {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const isLittle = !isBigEndian;
  const every = (size: number, read: (at: number) => number) =>
    Array.from({ length: Math.floor(value.length / size) }, (_, index) => read(index * size));
  switch (representation) {
    case "US":
    case "OW":
    case "lt":
      return every(2, (at) => view.getUint16(at, isLittle));
    case "SS":
      return every(2, (at) => view.getInt16(at, isLittle));
    case "xs":
      return every(2, (at) => (isSigned ? view.getInt16(at, isLittle) : view.getUint16(at, isLittle)));
    case "UL":
    case "up":
      return every(4, (at) => view.getUint32(at, isLittle));
    case "SL":
      return every(4, (at) => view.getInt32(at, isLittle));
    case "FL":
      return every(4, (at) => view.getFloat32(at, isLittle));
    case "FD":
      return every(8, (at) => view.getFloat64(at, isLittle));
    case "AT":
      return every(4, (at) => view.getUint16(at, isLittle) * 65_536 + view.getUint16(at + 2, isLittle));
    default:
      return [];
  }
}
