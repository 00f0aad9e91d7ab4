export type Encoding = { readonly isExplicit: boolean; readonly isBigEndian: boolean };

const longRepresentations = new Set(["OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"]);
const undefinedLength = 0xffff_ffff;
const [itemTag, endOfSequence] = ["FFFEE000", "FFFEE0DD"];

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

/** Encodes compressed pixels: offset table and fragments. Adds the end delimiter if it is missing. */
export function encapsulatedBytes(tag: string, value: Uint8Array, encoding: Encoding): Uint8Array {
  const end = itemHeader(endOfSequence, 0, encoding);
  const isEnded = Buffer.compare(end, value.subarray(-8)) === 0;
  return Buffer.concat([headerBytes(tag, "OB", undefinedLength, encoding), value, ...(isEnded ? [] : [end])]);
}

/** Encodes fragments of compressed pixels, offset table first, each padded to an even length. */
export function fragmentsOf(fragments: readonly Uint8Array[]): Uint8Array {
  const encoding = { isExplicit: true, isBigEndian: false };
  const even = fragments.map((one) => (one.length % 2 === 0 ? one : Buffer.concat([one, Buffer.alloc(1)])));
  return Buffer.concat(even.flatMap((one) => [itemHeader(itemTag, one.length, encoding), one]));
}

export function asciiBytes(text: string): Uint8Array {
  return Buffer.from(text, "ascii");
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
