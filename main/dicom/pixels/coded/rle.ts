import { AppError, because } from "../../../../core/app-error.ts";
import type { PictureDescription } from "../picture-description.ts";

const headerBytes = 64;
const largestCount = 15;

/** Whether bytes start with an RLE header: the number of byte planes, and the offset of the first (64). */
export function isRleStart(bytes: Uint8Array): boolean {
  if (bytes.length < headerBytes) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const planes = view.getUint32(0, true);
  return planes >= 1 && planes <= largestCount && view.getUint32(4, true) === headerBytes;
}

/** Bytes after the last pixel of a plane are padding. @throws AppError INVALID_DICOM @see DICOM PS3.5 G */
export function decodeRle(bytes: Uint8Array, picture: PictureDescription): Uint8Array | Uint16Array {
  const { widthPx, heightPx, samplesPerPixel, bitsAllocated } = picture;
  const [pixels, sampleBytes] = [widthPx * heightPx, bitsAllocated / 8];
  const starts = startsOf(bytes);
  const planes = starts.map((start, index) => {
    const plane = new Uint8Array(pixels);
    const next = starts[index + 1] ?? 0;
    const written = unpack(bytes.subarray(0, next > start ? next : bytes.length), start, plane);
    if (written < pixels) throw new AppError("INVALID_DICOM", because("dicomCodedIncomplete"));
    return plane;
  });
  const length = pixels * samplesPerPixel;
  const words = bitsAllocated === 16 ? new Uint16Array(length) : new Uint8Array(length);
  for (const [index, plane] of inOrder(planes, picture).entries()) {
    const sample = Math.floor(index / sampleBytes);
    const shift = 8 * (sampleBytes - 1 - (index % sampleBytes));
    for (let pixel = 0, at = sample; pixel < pixels; pixel += 1, at += samplesPerPixel)
      words[at] = (words[at] as number) | ((plane[pixel] as number) << shift);
  }
  return words;
}

function startsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const planes = Math.min(largestCount, view.getUint32(0, true));
  return Array.from({ length: planes }, (_, index) => view.getUint32(4 + 4 * index, true));
}

/** Planes with the upper byte first. Some writers store the lower byte first, where it exceeds the stated bits. */
function inOrder(planes: Uint8Array[], { samplesPerPixel, bitsAllocated, highBit, isSigned }: PictureDescription) {
  if (samplesPerPixel !== 1 || bitsAllocated !== 16 || isSigned) return planes;
  const fits = (plane: Uint8Array | undefined) => plane?.every((byte) => byte < 2 ** Math.max(0, highBit - 7)) ?? false;
  return fits(planes[1]) && !fits(planes[0]) ? planes.toReversed() : planes;
}

/** Unpacks runs into a plane until it is full or the bytes end. @returns the number of pixels written */
function unpack(bytes: Uint8Array, from: number, plane: Uint8Array): number {
  let [at, written] = [from, 0];
  while (written < plane.length && at + 1 < bytes.length) {
    const run = bytes[at] as number;
    if (run === 128) at += 1;
    else if (run < 128) {
      const copied = bytes.subarray(at + 1, at + 2 + Math.min(run, plane.length - written - 1));
      plane.set(copied, written);
      written += copied.length;
      at += run + 2;
    } else {
      const end = Math.min(plane.length, written + 257 - run);
      plane.fill(bytes[at + 1] as number, written, end);
      written = end;
      at += 2;
    }
  }
  return written;
}
