import { AppError, because } from "../../../core/app-error.ts";
import type { DicomFile } from "../dicom-file.ts";
import type { Codecs, PictureCoding } from "./codec-module.ts";
import { readCodedHeader } from "./coded-header.ts";
import type { PictureDescription } from "./picture-description.ts";
import { transferSyntaxOf } from "./transfer-syntaxes.ts";

/**
 * The samples of one frame as they are stored, before any meaning: sign, high bit and colours are still as in the file.
 */
export type FrameWords = {
  readonly words: Uint8Array | Uint16Array;
  readonly isPlanar: boolean;
  /** Bits of a word that the coding keeps: Bits Allocated, or the compressed picture's own precision. */
  readonly precisionBits: number;
  /** The codec has spread colours that the file keeps at half width. */
  readonly isCompressed: boolean;
};

/** Starts a codec or gives the one that runs. */
export type CodecSource = () => Promise<Codecs>;

/**
 * Reads or decompresses one frame.
 *
 * @throws AppError DICOM_WITHOUT_PIXELS, UNSUPPORTED_DICOM, INVALID_DICOM
 */
export async function frameWords(
  file: DicomFile,
  picture: PictureDescription,
  frameIndex: number,
  startCodec: CodecSource,
): Promise<FrameWords> {
  const { coding } = transferSyntaxOf(file.transferSyntaxUid);
  const { pixelData } = file;
  if (pixelData === null) throw new AppError("DICOM_WITHOUT_PIXELS");
  if (!(frameIndex >= 0 && frameIndex < picture.numberOfFrames))
    throw new AppError(
      "INVALID_DICOM",
      because("dicomNoSuchFrame", { frames: picture.numberOfFrames, frame: frameIndex + 1 }),
    );
  if ((pixelData.kind === "native") !== (coding === "native")) {
    throw new AppError(
      "INVALID_DICOM",
      because(pixelData.kind === "native" ? "dicomNotCompressed" : "dicomCompressed"),
    );
  }
  if (pixelData.kind === "native")
    return nativeWords(
      pixelData.bytes,
      picture,
      frameIndex,
      file.isBigEndian && (picture.bitsAllocated === 16 || pixelData.isInWords),
    );
  return decompressed(
    pixelData.frame(frameIndex, picture.numberOfFrames),
    picture,
    coding as PictureCoding,
    startCodec,
  );
}

function nativeWords(
  bytes: Uint8Array,
  picture: PictureDescription,
  frameIndex: number,
  isSwapped: boolean,
): FrameWords {
  const { widthPx, heightPx, samplesPerPixel, bitsAllocated, photometric, isPlanar } = picture;
  const samples = photometric === "YBR_FULL_422" ? 2 : samplesPerPixel;
  const frameBytes = widthPx * heightPx * samples * (bitsAllocated / 8);
  const start = frameIndex * frameBytes;
  if (bytes.length < start + frameBytes) {
    throw new AppError(
      "INVALID_DICOM",
      because("dicomFrameCutOff", { frame: frameIndex + 1, needed: start + frameBytes, found: bytes.length }),
    );
  }
  // A copy: the bytes may be a view of the whole file, at an odd place.
  const own = isSwapped ? swapped(bytes, start, frameBytes) : new Uint8Array(bytes.subarray(start, start + frameBytes));
  return {
    words: bitsAllocated === 16 ? new Uint16Array(own.buffer) : own,
    isPlanar,
    precisionBits: bitsAllocated,
    isCompressed: false,
  };
}

/** Words of 16 bits turned round; one may hold the last byte of a frame and the first of the next. */
function swapped(bytes: Uint8Array, start: number, count: number): Uint8Array {
  const from = start - (start % 2);
  const words = Buffer.alloc(2 * Math.ceil((start + count - from) / 2));
  words.set(bytes.subarray(from, from + words.length));
  words.swap16();
  return new Uint8Array(words.subarray(start - from, start - from + count));
}

async function decompressed(
  bytes: Uint8Array,
  picture: PictureDescription,
  coding: PictureCoding,
  startCodec: CodecSource,
): Promise<FrameWords> {
  const coded = coding === "DecodeJpeg2000" || coding === "DecodeHtJpeg2000" ? codestreamOf(bytes) : bytes;
  const { precisionBits, isSigned, isPlanar } = readCodedHeader(coded, coding, picture);
  const { widthPx, heightPx, samplesPerPixel } = picture;
  const bitsAllocated = precisionBits > 8 ? 16 : 8;
  const codecs = await startCodec();
  const output = await codecs.decode({
    coding,
    bytes: coded,
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
  return { words, isPlanar, precisionBits, isCompressed: true };
}

/** OpenJPH keeps lossy samples within the word, not within their precision: white would turn black. */
function clampOvershoot(words: Uint8Array | Uint16Array, precisionBits: number, isSigned: boolean): void {
  const values =
    isSigned && words instanceof Uint16Array ? new Int16Array(words.buffer, words.byteOffset, words.length) : words;
  const most = 2 ** (isSigned ? precisionBits - 1 : precisionBits) - 1;
  const least = isSigned ? -most - 1 : 0;
  for (let index = 0; index < values.length; index += 1)
    values[index] = Math.min(most, Math.max(least, values[index] as number));
}

/** Some writers leave the boxes of a JP2 file around the codestream. */
function codestreamOf(bytes: Uint8Array): Uint8Array {
  const isBoxed = bytes.length > 12 && Buffer.from(bytes.buffer, bytes.byteOffset + 4, 4).toString("latin1") === "jP  ";
  const start = isBoxed
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]))
    : 0;
  return start > 0 ? bytes.subarray(start) : bytes;
}
