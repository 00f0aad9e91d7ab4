export type Element = { readonly vr: string; readonly Value: readonly unknown[] };
/** Elements by tag, eight upper-case hexadecimal digits. */
export type DataSet = Readonly<Record<string, Element>>;

export type Encoding = { readonly isExplicit: boolean; readonly isBigEndian: boolean };
export const littleEndian: Encoding = { isExplicit: true, isBigEndian: false };

const longRepresentations = new Set(["OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"]);
/** Size of a number [bytes], and the method of DataView that writes it. */
const binaryValues: Readonly<Record<string, readonly [bytes: number, set: NumberSetter]>> = {
  US: [2, "setUint16"],
  SS: [2, "setInt16"],
  UL: [4, "setUint32"],
  SL: [4, "setInt32"],
  FL: [4, "setFloat32"],
  FD: [8, "setFloat64"],
};
type NumberSetter = "setUint16" | "setInt16" | "setUint32" | "setInt32" | "setFloat32" | "setFloat64";
const itemTag = "FFFEE000";

export function elementBytes(tag: string, vr: string, value: Uint8Array, encoding: Encoding): Uint8Array {
  const even = value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.from([paddingOf(vr)])]);
  // A 16-bit length field is too small for this length.
  const written = even.length > 0xffff && !longRepresentations.has(vr) ? "UN" : vr;
  return Buffer.concat([headerBytes(tag, written, even.length, encoding), even]);
}

/** Encodes a sequence. @param items  encoded, without item headers */
export function sequenceBytes(tag: string, items: readonly Uint8Array[], encoding: Encoding): Uint8Array {
  const value = Buffer.concat(items.flatMap((item) => [itemHeader(itemTag, item.length, encoding), item]));
  return Buffer.concat([headerBytes(tag, "SQ", value.length, encoding), value]);
}

export function asciiBytes(text: string): Uint8Array {
  return Buffer.from(text, "ascii");
}

/** Encodes a data set, with texts in UTF-8. */
export function dataSetBytes(dataSet: DataSet, encoding: Encoding): Uint8Array {
  const elements = Object.entries(dataSet).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Buffer.concat(elements.map(([tag, element]) => encodedElement(tag, element, encoding)));
}

export function encodedElement(tag: string, { vr, Value }: Element, encoding: Encoding): Uint8Array {
  if (vr !== "SQ") return elementBytes(tag, vr, valueBytes(vr, Value, encoding), encoding);
  const items = (Value as readonly DataSet[]).map((item) => dataSetBytes(item, encoding));
  return sequenceBytes(tag, items, encoding);
}

function valueBytes(vr: string, values: Element["Value"], { isBigEndian }: Encoding): Uint8Array {
  if (values[0] instanceof ArrayBuffer) return new Uint8Array(values[0]);
  const binary = binaryValues[vr];
  if (!binary) return Buffer.from(values.join("\\"));
  const [bytes, set] = binary;
  const view = new DataView(new ArrayBuffer(bytes * values.length));
  for (const [index, value] of values.entries()) view[set](bytes * index, value as number, !isBigEndian);
  return new Uint8Array(view.buffer);
}

function headerBytes(tag: string, vr: string, length: number, { isExplicit, isBigEndian }: Encoding): Uint8Array {
  if (!isExplicit) return itemHeader(tag, length, { isExplicit, isBigEndian });
  if (longRepresentations.has(vr))
    return Buffer.concat([tagBytes(tag, isBigEndian), asciiBytes(vr), Buffer.alloc(2), u32(length, isBigEndian)]);
  const short = u32(length, isBigEndian);
  return Buffer.concat([
    tagBytes(tag, isBigEndian),
    asciiBytes(vr),
    isBigEndian ? short.subarray(2) : short.subarray(0, 2),
  ]);
}

function itemHeader(tag: string, length: number, { isBigEndian }: Encoding): Buffer {
  return Buffer.concat([tagBytes(tag, isBigEndian), u32(length, isBigEndian)]);
}

function tagBytes(tag: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.from(tag, "hex");
  return isBigEndian ? bytes : bytes.swap16();
}

function u32(value: number, isBigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(4);
  if (isBigEndian) bytes.writeUInt32BE(value);
  else bytes.writeUInt32LE(value);
  return bytes;
}

function paddingOf(vr: string): number {
  return vr === "UI" || vr.startsWith("O") || vr === "UN" ? 0 : 0x20;
}
