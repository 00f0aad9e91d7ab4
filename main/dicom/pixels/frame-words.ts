import { AppError, because } from "../../../core/app-error.ts";
import type { DicomFile } from "../dicom-file.ts";
import type { Codecs, PictureCoding } from "./coded/codec-module.ts";
import { completeJpeg2000 } from "./coded/coded-form.ts";
import { codingOf, readCodedHeader } from "./coded/coded-header.ts";
import { decodeRle } from "./coded/rle.ts";
import { describePicture, type PictureDescription } from "./picture-description.ts";
import { transferSyntaxOf } from "./coded/transfer-syntaxes.ts";

/** Uninterpreted samples of one frame, with sign, high bit and colours as in the file. */
export type FrameWords = {
  readonly words: Uint8Array | Uint16Array;
  readonly isPlanar: boolean;
  /** Significant bits of a word: Bits Allocated, or the precision of the compressed picture. */
  readonly precisionBits: number;
  /** Whether the compressed picture has signed samples; null if unstated. */
  readonly isSigned: boolean | null;
  /** Two pixels share their colours: Y1 Y2 Cb Cr. */
  readonly isHalfWidth: boolean;
  readonly isLumaFirst: boolean | null;
};

export type CodecSource = () => Promise<Codecs>;

/** @throws AppError DICOM_WITHOUT_PIXELS, UNSUPPORTED_DICOM, INVALID_DICOM */
export async function frameWords(
  file: DicomFile,
  picture: PictureDescription,
  frameIndex: number,
  startCodec: CodecSource,
): Promise<FrameWords> {
  const found = findFrame(file, picture, frameIndex);
  if (found.coding !== "native") return decompressed(found.bytes, picture, found.coding, startCodec);
  const { bitsAllocated, isPlanar } = picture;
  const isSwapped = file.isBigEndian && (bitsAllocated === 16 || found.isInWords);
  // Copy the bytes, which may be a view of the whole file at an odd offset.
  const own = isSwapped ? swapped(found) : new Uint8Array(found.bytes.subarray(found.start, found.end));
  return {
    words: bitsAllocated === 16 ? new Uint16Array(own.buffer) : own,
    isPlanar,
    precisionBits: bitsAllocated,
    isSigned: null,
    isHalfWidth: found.isHalfWidth,
    isLumaFirst: null,
  };
}

/** Asserts that the first frame can be shown, as far as possible without decoding it. @throws AppError */
export function assertShowable(file: DicomFile): void {
  const picture = describePicture(file);
  const found = findFrame(file, picture, 0);
  if (found.coding !== "native") readCodedHeader(found.bytes, found.coding, picture);
}

/** Maximum padding of uncompressed pixel data, as a fraction of a frame. */
const paddingShare = 0.1;

export function hasExcessPixels(file: DicomFile): boolean {
  const { pixelData } = file;
  if (pixelData?.kind !== "native") return false;
  try {
    const picture = describePicture(file);
    const frameBytes = frameBytesOf(picture, isHalfWidth(pixelData.bytes, picture));
    return pixelData.bytes.length > (picture.numberOfFrames + paddingShare) * frameBytes + 1;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

type NativeFrame = {
  readonly coding: "native";
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly isInWords: boolean;
  readonly isHalfWidth: boolean;
};
type CodedFrameBytes = { readonly coding: PictureCoding; readonly bytes: Uint8Array };

function findFrame(file: DicomFile, picture: PictureDescription, frameIndex: number): NativeFrame | CodedFrameBytes {
  const { coding } = transferSyntaxOf(file.transferSyntaxUid);
  const { pixelData } = file;
  if (pixelData === null) throw new AppError("DICOM_WITHOUT_PIXELS");
  if (!(frameIndex >= 0 && frameIndex < picture.numberOfFrames))
    throw new AppError(
      "INVALID_DICOM",
      because("dicomNoSuchFrame", { frames: picture.numberOfFrames, frame: frameIndex + 1 }),
    );
  if (pixelData.kind === "native") {
    if (coding !== "native" && !isWholeNative(pixelData.bytes, picture))
      throw new AppError("INVALID_DICOM", because("dicomNotCompressed"));
    return { coding: "native", ...pixelData, ...nativePlace(pixelData.bytes, picture, frameIndex) };
  }
  const bytes = codestreamOf(pixelData.frame(frameIndex, picture.numberOfFrames));
  const found = codingOf(bytes, coding);
  if (found === null) throw new AppError("INVALID_DICOM", because("dicomCompressed"));
  return { coding: found, bytes };
}

function isWholeNative(bytes: Uint8Array, picture: PictureDescription): boolean {
  return isLengthOf(bytes, picture.numberOfFrames * frameBytesOf(picture, isHalfWidth(bytes, picture)));
}

function isLengthOf({ length }: Uint8Array, needed: number): boolean {
  return length === needed || length === needed + (needed % 2);
}

/** Whether colours are stored at half width. Some writers state YBR_FULL_422 but store them at full width. */
function isHalfWidth(bytes: Uint8Array, picture: PictureDescription): boolean {
  const isStated = picture.photometric === "YBR_FULL_422";
  return isStated && !isLengthOf(bytes, picture.numberOfFrames * frameBytesOf(picture, false));
}

function nativePlace(bytes: Uint8Array, picture: PictureDescription, frameIndex: number) {
  const isHalf = isHalfWidth(bytes, picture);
  const frameBytes = frameBytesOf(picture, isHalf);
  const start = frameIndex * frameBytes;
  if (bytes.length < start + frameBytes) {
    throw new AppError(
      "INVALID_DICOM",
      because("dicomFrameCutOff", { frame: frameIndex + 1, needed: start + frameBytes, found: bytes.length }),
    );
  }
  return { start, end: start + frameBytes, isHalfWidth: isHalf };
}

function frameBytesOf(picture: PictureDescription, isHalf: boolean): number {
  const { widthPx, heightPx, samplesPerPixel, bitsAllocated } = picture;
  return widthPx * heightPx * (isHalf ? 2 : samplesPerPixel) * (bitsAllocated / 8);
}

/** Swaps the bytes of 16-bit words, one of which may contain the last byte of a frame and the first of the next. */
function swapped({ bytes, start, end }: NativeFrame): Uint8Array {
  const from = start - (start % 2);
  const words = Buffer.alloc(2 * Math.ceil((end - from) / 2));
  words.set(bytes.subarray(from, from + words.length));
  words.swap16();
  return new Uint8Array(words.subarray(start - from, end - from));
}

async function decompressed(
  bytes: Uint8Array,
  picture: PictureDescription,
  coding: PictureCoding,
  startCodec: CodecSource,
): Promise<FrameWords> {
  const { precisionBits, isSigned, isPlanar, isLumaFirst } = readCodedHeader(bytes, coding, picture);
  const form = { precisionBits, isPlanar, isLumaFirst, isHalfWidth: false };
  const { widthPx, heightPx, samplesPerPixel } = picture;
  if (coding === "DecodeRle") return { ...form, words: decodeRle(bytes, picture), isSigned: null };
  const isJpeg2000 = coding === "DecodeJpeg2000" || coding === "DecodeHtJpeg2000";
  const whole = isJpeg2000 ? completeJpeg2000(bytes) : bytes;
  if (whole === null) throw new AppError("INVALID_DICOM", because("dicomCodedIncomplete"));
  const bitsAllocated = precisionBits > 8 ? 16 : 8;
  const codecs = await startCodec();
  const output = await codecs.decode({
    coding,
    bytes: whole,
    widthPx,
    heightPx,
    samplesPerPixel,
    bitsAllocated,
    bitsStored: precisionBits,
    isSigned,
  });
  const words = bitsAllocated === 16 ? new Uint16Array(output.buffer, 0, output.length >> 1) : output;
  if (words.length !== widthPx * heightPx * samplesPerPixel)
    throw new AppError("INVALID_DICOM", because("dicomCodedIncomplete"));
  if (coding === "DecodeHtJpeg2000") clampOvershoot(words, precisionBits, isSigned);
  return { ...form, words, isSigned: isJpeg2000 ? isSigned : null };
}

/** Clamps samples to their precision. OpenJPH clamps lossy samples only to the word, so white would become black. */
function clampOvershoot(words: Uint8Array | Uint16Array, precisionBits: number, isSigned: boolean): void {
  const values =
    isSigned && words instanceof Uint16Array ? new Int16Array(words.buffer, words.byteOffset, words.length) : words;
  const most = 2 ** (isSigned ? precisionBits - 1 : precisionBits) - 1;
  const least = isSigned ? -most - 1 : 0;
  for (let index = 0; index < values.length; index += 1)
    values[index] = Math.min(most, Math.max(least, values[index] as number));
}

/** Removes the boxes of a JP2 file, which some writers leave around the codestream. */
function codestreamOf(bytes: Uint8Array): Uint8Array {
  const isBoxed = bytes.length > 12 && Buffer.from(bytes.buffer, bytes.byteOffset + 4, 4).toString("latin1") === "jP  ";
  const start = isBoxed
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]))
    : 0;
  return start > 0 ? bytes.subarray(start) : bytes;
}
