import type { PictureArea } from "../../../core/deidentification/suspected-text.ts";
import type { PictureSize } from "../../../core/cardiac/points.ts";
import type { DicomFile } from "../dicom-file.ts";
import { colourFrame } from "../pixels/colour-frame.ts";
import { codedFrame, frameWords, type CodecSource, type FrameWords } from "../pixels/frame-words.ts";
import { describePicture, type PictureDescription } from "../pixels/picture-description.ts";

export type BlankedPicture = {
  readonly bytes: Uint8Array;
  readonly isInWords: boolean;
  /** null if the file's Photometric Interpretation stays valid */
  readonly photometric: "RGB" | null;
};

export type WantedPicture = {
  readonly frameIndex: number;
  readonly areas: readonly PictureArea[];
};

/** Decodes a frame and blanks areas in it. Greyscale samples keep their stored form; colours become 8-bit RGB. */
export async function blankedPicture(
  file: DicomFile,
  { frameIndex, areas }: WantedPicture,
  startCodec: CodecSource,
  onChecked: (pixels: number) => void,
): Promise<BlankedPicture> {
  const picture = describePicture(file);
  const { widthPx, heightPx, photometric, bitsAllocated } = picture;
  const isGrey = photometric === "MONOCHROME1" || photometric === "MONOCHROME2";
  onChecked(widthPx * heightPx);
  const words = await frameWords(file, picture, frameIndex, startCodec);
  if (isGrey) {
    blank(words.words, 1, picture, areas, darkest(picture));
    return asStored(bytesOf(withoutOverlays(words, picture), bitsAllocated), picture);
  }
  const shown = colourFrame(file, picture, words);
  const rgb = shown.colour ?? greyToRgb(shown.samples);
  blank(rgb, 3, picture, areas, 0);
  return { bytes: rgb, isInWords: false, photometric: "RGB" };
}

/** Reads one frame in its stored form: compressed bytes, or uncompressed samples. */
export async function storedFrame(
  file: DicomFile,
  frameIndex: number,
  startCodec: CodecSource,
): Promise<{ readonly coded: Uint8Array } | BlankedPicture> {
  const picture = describePicture(file);
  const coded = codedFrame(file, picture, frameIndex);
  if (coded !== null) return { coded };
  const { words } = await frameWords(file, picture, frameIndex, startCodec);
  return asStored(bytesOf(words, picture.bitsAllocated), picture);
}

function asStored(bytes: Uint8Array, { bitsAllocated }: PictureDescription): BlankedPicture {
  return { bytes, isInWords: bitsAllocated === 16, photometric: null };
}

/** @param areas  as fractions of width and height */
export function blank(
  samples: Uint8Array | Uint16Array,
  perPixel: number,
  { widthPx, heightPx }: PictureSize,
  areas: readonly PictureArea[],
  value: number,
): void {
  for (const area of areas) {
    const [left, right] = [Math.floor(area.x * widthPx), Math.min(widthPx, Math.ceil((area.x + area.width) * widthPx))];
    const bottom = Math.min(heightPx, Math.ceil((area.y + area.height) * heightPx));
    for (let y = Math.floor(area.y * heightPx); y < bottom; y += 1)
      samples.fill(value, (y * widthPx + left) * perPixel, (y * widthPx + right) * perPixel);
  }
}

function darkest({ photometric, bitsStored, highBit, isSigned }: PictureDescription): number {
  const shift = highBit + 1 - bitsStored;
  const [least, most] = isSigned ? [2 ** (bitsStored - 1), 2 ** (bitsStored - 1) - 1] : [0, 2 ** bitsStored - 1];
  return (photometric === "MONOCHROME1" ? most : least) << shift;
}

/** Clears the bits outside the sample, which may contain an old overlay. A codec of lower precision returns none. */
function withoutOverlays(
  { words, precisionBits }: FrameWords,
  { bitsStored, highBit, bitsAllocated }: PictureDescription,
): Uint8Array | Uint16Array {
  if (precisionBits <= highBit || bitsStored === bitsAllocated) return words;
  const mask = ((2 ** bitsStored - 1) << (highBit + 1 - bitsStored)) & 0xffff;
  return words.map((word) => word & mask);
}

function bytesOf(words: Uint8Array | Uint16Array, bitsAllocated: number): Uint8Array {
  if (bitsAllocated === 16) {
    const wide = words instanceof Uint16Array ? words : Uint16Array.from(words);
    return new Uint8Array(wide.buffer, wide.byteOffset, wide.byteLength);
  }
  return words instanceof Uint8Array ? words : Uint8Array.from(words);
}

function greyToRgb(grey: Uint8Array | Uint16Array): Uint8Array {
  return Uint8Array.from({ length: grey.length * 3 }, (_, index) => grey[Math.floor(index / 3)] as number);
}
