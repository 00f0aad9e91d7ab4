import type { PictureArea } from "../../../core/deidentification/suspected-text.ts";
import type { PictureSize } from "../../../core/cardiac/points.ts";
import { greyAsColour } from "../../imaging/pixel-colours.ts";
import type { DicomFile } from "../dicom-file.ts";
import { colourFrame } from "../pixels/colour-frame.ts";
import { frameWords, type CodecSource, type FrameWords } from "../pixels/frame-words.ts";
import { countsOf } from "../pixels/grey-levels.ts";
import { describePicture, type Photometric, type PictureDescription } from "../pixels/picture-description.ts";
import { storedFormOf, storedValueOf } from "../pixels/stored-value.ts";

/** Uncompressed picture without anything beside its samples, such as overlays or comments of a codestream. */
export type BlankedPicture = {
  /** Interleaved and little-endian. */
  readonly bytes: Uint8Array;
  readonly bitsAllocated: 8 | 16;
  readonly bitsStored: number;
  readonly isSigned: boolean;
  readonly isColour: boolean;
};

export type WantedPicture = {
  readonly frameIndex: number;
  readonly areas: readonly PictureArea[];
};

/** Decodes a frame and blanks areas in it. Greyscale samples keep their stored values; colours become 8-bit RGB. */
export async function blankedPicture(
  file: DicomFile,
  { frameIndex, areas }: WantedPicture,
  startCodec: CodecSource,
  onChecked: (pixels: number) => void,
): Promise<BlankedPicture> {
  const picture = describePicture(file);
  const { widthPx, heightPx, photometric } = picture;
  onChecked(widthPx * heightPx);
  const frame = await frameWords(file, picture, frameIndex, startCodec);
  if (photometric === "MONOCHROME1" || photometric === "MONOCHROME2") {
    const { values, bitsAllocated, bitsStored, isSigned } = storedValues(file, picture, frame);
    blank(values, 1, picture, areas, darkest(photometric, bitsStored, isSigned));
    return { bytes: bytesOf(values), bitsAllocated, bitsStored, isSigned, isColour: false };
  }
  const shown = colourFrame(file, picture, frame);
  const rgb = shown.colour ?? greyAsColour(shown.samples);
  blank(rgb, 3, picture, areas, 0);
  return { bytes: rgb, bitsAllocated: 8, bitsStored: 8, isSigned: false, isColour: true };
}

function storedValues(file: DicomFile, picture: PictureDescription, frame: FrameWords) {
  const { words, precisionBits } = frame;
  const form = storedFormOf(file, picture, frame, countsOf(words, null));
  const bitsAllocated = words instanceof Uint16Array ? 16 : picture.bitsAllocated;
  const values = bitsAllocated === 16 ? new Uint16Array(words.length) : new Uint8Array(words.length);
  for (let index = 0; index < words.length; index += 1)
    values[index] = storedValueOf(words[index] as number, form, precisionBits);
  return { values, bitsAllocated, bitsStored: form.bitsStored, isSigned: form.isSigned } as const;
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

function darkest(photometric: Photometric, bitsStored: number, isSigned: boolean): number {
  const [least, most] = isSigned ? [-(2 ** (bitsStored - 1)), 2 ** (bitsStored - 1) - 1] : [0, 2 ** bitsStored - 1];
  return photometric === "MONOCHROME1" ? most : least;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
