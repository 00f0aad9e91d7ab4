import type { DicomElements } from "../elements/dicom-elements.ts";

/** DICOM look-up table. Values below the first entry map to the first, values above the last to the last. */
export type LookUpTable = {
  readonly first: number;
  readonly entries: Uint16Array;
  /** Enough for every entry, even if the descriptor states fewer. */
  readonly bits: number;
  readonly white: number;
};

export type InputRange = readonly [low: number, high: number];

/**
 * Reads a table. If descriptor and data contradict each other, the data take precedence; a table with too little data
 * is unusable. @see DICOM PS3.3 C.11.1.1.1
 *
 * @param inputs  range that decides whether the first value is signed, since some writers confuse US and SS
 */
export function lookUpTable(
  elements: DicomElements,
  descriptorTag: string,
  dataTag: string,
  isBigEndian: boolean,
  inputs: InputRange,
): LookUpTable | null {
  const [count, first, statedBits = 0] = elements.numbers(descriptorTag);
  const data = elements.bytes(dataTag);
  if (count === undefined || first === undefined || data === null) return null;
  const entries = entriesOf(data, count & 0xffff || 65_536, statedBits, isBigEndian);
  if (entries === null) return null;
  const largest = entries.reduce((most, entry) => Math.max(most, entry), 0);
  const bits = Math.max(8, Math.min(16, statedBits), 32 - Math.clz32(largest));
  const top = 2 ** bits - 1;
  // A table that leaves the highest bit unused was made for fewer bits.
  const white = largest > top / 2 && bits === statedBits ? top : Math.max(1, largest);
  return { first: firstWithin(first, entries.length, inputs), entries, bits, white };
}

export function isTableUnusable(item: DicomElements, descriptorTag: string, dataTag: string): boolean {
  const isStated = item.has(descriptorTag) || item.has(dataTag);
  return isStated && lookUpTable(item, descriptorTag, dataTag, false, [0, 0]) === null;
}

export function lookUp({ first, entries }: LookUpTable, value: number): number {
  const index = Math.min(entries.length - 1, Math.max(0, Math.round(value) - first));
  return entries[index] as number;
}

/** All 16-bit entries, or the stated number of 8-bit entries; null if there are fewer than stated. */
function entriesOf(data: Uint8Array, stated: number, bits: number, isBigEndian: boolean): Uint16Array | null {
  const isOfBytes = data.length === stated || data.length === stated + (stated % 2);
  if (isOfBytes || (bits <= 8 && data.length >= stated && data.length < 2 * stated))
    return Uint16Array.from(data.subarray(0, stated));
  if (data.length < 2 * stated) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const length = Math.min(65_536, data.length >> 1);
  return Uint16Array.from({ length }, (_, index) => view.getUint16(2 * index, !isBigEndian));
}

/** The first value as written or with the other sign, whichever lets the table cover more of its inputs. */
function firstWithin(first: number, length: number, [low, high]: InputRange): number {
  const other = first < 0 ? first + 65_536 : first > 32_767 ? first - 65_536 : first;
  const covered = (begin: number) => Math.min(high, begin + length - 1) - Math.max(low, begin);
  return covered(other) > covered(first) ? other : first;
}
