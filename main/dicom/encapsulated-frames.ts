import type { Element } from "dicom-parser";
import { AppError, because } from "../../core/app-error.ts";
import { isRleStart } from "./pixels/coded/rle.ts";

export type EncapsulatedFrames = (index: number, numberOfFrames: number) => Uint8Array;

/** First bytes of a picture in JPEG and JPEG-LS, and in JPEG 2000. */
const pictureMarkers = [
  [0xff, 0xd8],
  [0xff, 0x4f],
] as const;

/** @param extendedOffsets  Extended Offset Table (7FE0,0001). @see DICOM PS3.5 A.4 */
export function encapsulatedFrames(
  bytes: Uint8Array,
  pixelData: Element,
  extendedOffsets: Uint8Array | null,
): EncapsulatedFrames {
  // Some writers end with an empty fragment.
  const fragments = (pixelData.fragments ?? [])
    .filter(({ length }) => length > 0)
    .map(({ offset, position, length }) => ({ offset, bytes: bytes.subarray(position, position + length) }));
  return (index, numberOfFrames) => {
    const extended = numberOfFrames <= fragments.length ? offsetsOf(extendedOffsets, numberOfFrames) : null;
    const starts = startsOf(fragments, numberOfFrames, extended ?? pixelData.basicOffsetTable ?? []);
    const start = starts[index];
    if (start === undefined) throw new AppError("INVALID_DICOM", because("dicomFrameMissing", { frame: index + 1 }));
    return joined(fragments.slice(start, starts[index + 1] ?? fragments.length).map((fragment) => fragment.bytes));
  };
}

function startsOf(
  fragments: readonly { readonly offset: number; readonly bytes: Uint8Array }[],
  numberOfFrames: number,
  offsets: readonly number[],
): readonly number[] {
  if (fragments.length === 0) return [];
  if (numberOfFrames === 1) return [0];
  if (fragments.length === numberOfFrames) return fragments.map((_, index) => index);
  if (offsets.length === numberOfFrames) {
    const indexes = new Map(fragments.map(({ offset }, index) => [offset, index]));
    const starts = offsets.flatMap((offset) => indexes.get(offset) ?? []);
    const isRising = starts.every((start, index) => index === 0 || start > (starts[index - 1] as number));
    if (starts.length === numberOfFrames && isRising) return starts;
  }
  return fragments.flatMap(({ bytes }, index) => (isPictureStart(bytes) ? [index] : []));
}

function isPictureStart(bytes: Uint8Array): boolean {
  return isRleStart(bytes) || pictureMarkers.some(([first, second]) => bytes[0] === first && bytes[1] === second);
}

function offsetsOf(table: Uint8Array | null, numberOfFrames: number): number[] | null {
  if (table === null || Math.floor(table.length / 8) !== numberOfFrames) return null;
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  return Array.from({ length: numberOfFrames }, (_, index) => Number(view.getBigUint64(index * 8, true)));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
