import { AppError, because } from "../../../../core/app-error.ts";
import type { PictureCoding } from "./codec-module.ts";
import type { PictureDescription } from "../picture-description.ts";
import { isRleStart } from "./rle.ts";

/** Header of a compressed picture. `isPlanar`: the decoder returns the planes one after the other. */
export type CodedHeader = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly components: number;
  readonly precisionBits: number;
  readonly isSigned: boolean;
  readonly isPlanar: boolean;
  /** Whether the markers of the codestream state that three components are YCbCr; null if unstated. */
  readonly isLumaFirst: boolean | null;
};

/**
 * Reads the header of a compressed frame and checks it, so that a decoder never allocates memory for a picture of
 * another size than the file states.
 *
 * @throws AppError INVALID_DICOM, UNSUPPORTED_DICOM
 */
export function readCodedHeader(bytes: Uint8Array, coding: PictureCoding, picture: PictureDescription): CodedHeader {
  const header =
    coding === "DecodeRle"
      ? rleHeader(bytes, picture)
      : coding === "DecodeJpeg2000" || coding === "DecodeHtJpeg2000"
        ? sizeOfJpeg2000(bytes)
        : frameOfJpeg(bytes, picture.photometric === "YBR_FULL_422");
  if (header === null) throw new AppError("INVALID_DICOM", because("dicomNoCodedHeader"));
  if (
    header.widthPx !== picture.widthPx ||
    header.heightPx !== picture.heightPx ||
    header.components !== picture.samplesPerPixel
  ) {
    throw new AppError(
      "INVALID_DICOM",
      because("dicomCodedSize", {
        announced: sizeInWords(picture.widthPx, picture.heightPx, picture.samplesPerPixel),
        found: sizeInWords(header.widthPx, header.heightPx, header.components),
      }),
    );
  }
  if (header.precisionBits < 2 || header.precisionBits > 16)
    throw new AppError("UNSUPPORTED_DICOM", because("dicomBitsUnsupported", { bits: header.precisionBits }));
  return header;
}

/**
 * Detects the coding of a frame from its first bytes, independent of the transfer syntax; null for unrecognised bytes
 * under an uncompressed syntax.
 */
export function codingOf(bytes: Uint8Array, stated: PictureCoding | "native"): PictureCoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) {
    const frameAt = segmentOf(bytes, isFrameHeader);
    if (frameAt !== null) return bytes[frameAt + 1] === 0xf7 ? "DecodeJpegLs" : "DecodeJpeg";
  }
  if (bytes[0] === 0xff && bytes[1] === 0x4f) {
    if (stated === "DecodeJpeg2000" || stated === "DecodeHtJpeg2000") return stated;
    return hasCapabilities(bytes) ? "DecodeHtJpeg2000" : "DecodeJpeg2000";
  }
  return stated !== "native" ? stated : isRleStart(bytes) ? "DecodeRle" : null;
}

/** Whether CAP follows SIZ, as in all High-Throughput JPEG 2000 codestreams. @see ISO/IEC 15444-15 A.2 */
function hasCapabilities(bytes: Uint8Array): boolean {
  const at = bytes.length > 6 ? 4 + viewOf(bytes).getUint16(4) : 0;
  return bytes[at] === 0xff && bytes[at + 1] === 0x50;
}

function sizeInWords(widthPx: number, heightPx: number, samples: number): string {
  return `${widthPx} × ${heightPx} px × ${samples}`;
}

/** RLE contains no size; its header counts the byte planes. @see DICOM PS3.5 G.5 */
function rleHeader(
  bytes: Uint8Array,
  { widthPx, heightPx, samplesPerPixel, bitsAllocated }: PictureDescription,
): CodedHeader | null {
  if (bytes.length < 64) return null;
  const segments = viewOf(bytes).getUint32(0, true);
  return segments === (samplesPerPixel * bitsAllocated) / 8
    ? {
        widthPx,
        heightPx,
        components: samplesPerPixel,
        precisionBits: bitsAllocated,
        isSigned: false,
        isPlanar: false,
        isLumaFirst: null,
      }
    : null;
}

/** Reads SIZ, which directly follows the start of the codestream. @see ISO/IEC 15444-1 A.5.1 */
function sizeOfJpeg2000(bytes: Uint8Array): CodedHeader | null {
  const view = viewOf(bytes);
  if (bytes.length < 45 || view.getUint32(0) !== 0xff4fff51) return null;
  const components = view.getUint16(40);
  if (components < 1 || bytes.length < 42 + 3 * components) return null;
  const depths = Array.from({ length: components }, (_, index) => view.getUint8(42 + 3 * index));
  const isSubsampled = Array.from({ length: components }, (_, index) => view.getUint16(43 + 3 * index)).some(
    (spacing) => spacing !== 0x0101,
  );
  if (isSubsampled || depths.some((depth) => depth !== depths[0])) return null;
  const depth = depths[0] as number;
  return {
    widthPx: view.getUint32(8) - view.getUint32(16),
    heightPx: view.getUint32(12) - view.getUint32(20),
    components,
    precisionBits: (depth & 0x7f) + 1,
    isSigned: depth > 0x7f,
    isPlanar: false,
    isLumaFirst: null,
  };
}

/** Reads the frame header of JPEG and JPEG-LS. @see ISO/IEC 10918-1 B.2.2 */
function frameOfJpeg(bytes: Uint8Array, isHalfWidth: boolean): CodedHeader | null {
  const view = viewOf(bytes);
  const frameAt = segmentOf(bytes, isFrameHeader);
  if (frameAt === null) return null;
  const components = view.getUint8(frameAt + 9);
  const scanAt = segmentOf(bytes, (marker) => marker === 0xda);
  const isPlanar = bytes[frameAt + 1] === 0xf7 && components > 1 && scanAt !== null && bytes[scanAt + 4] === 1;
  return {
    precisionBits: view.getUint8(frameAt + 4),
    heightPx: view.getUint16(frameAt + 5),
    widthPx: view.getUint16(frameAt + 7),
    components,
    isSigned: false,
    isPlanar,
    isLumaFirst: components === 3 && bytes.length >= frameAt + 19 ? isLumaFirst(bytes, frameAt, isHalfWidth) : null,
  };
}

/**
 * Whether three components are YCbCr by the markers of the codestream. They take precedence over Photometric
 * Interpretation, which may describe the picture before or after its compression.
 *
 * @see ISO/IEC 10918-6 6.5.3, DICOM PS3.5 8.2.1
 */
function isLumaFirst(bytes: Uint8Array, frameAt: number, isHalfWidth: boolean): boolean | null {
  const component = (index: number, byte: number) => bytes[frameAt + 10 + 3 * index + byte] as number;
  const adobeAt = segmentOf(bytes, (marker) => marker === 0xee);
  if (adobeAt !== null && hasText(bytes, adobeAt + 4, "Adobe")) return bytes[adobeAt + 15] !== 0;
  if (component(0, 1) !== component(1, 1)) return true;
  if (hasText(Uint8Array.of(component(0, 0), component(1, 0), component(2, 0)), 0, "RGB")) return false;
  // Only lossy JPEG converts colours and halves their width.
  if (bytes[frameAt + 1] === 0xc3 || bytes[frameAt + 1] === 0xf7) return isHalfWidth ? false : null;
  const jfifAt = segmentOf(bytes, (marker) => marker === 0xe0);
  return jfifAt !== null && hasText(bytes, jfifAt + 4, "JFIF") ? true : null;
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

/** Offset of the first matching segment that has at least ten bytes; null if there is none. */
function segmentOf(bytes: Uint8Array, isWanted: (marker: number) => boolean): number | null {
  const view = viewOf(bytes);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (isWanted(marker)) return at;
    // Any number of 0xff may precede a marker. Markers without a length, SOI and those of a scan, only follow the
    // segments that are searched for.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Whether a marker is SOF0–SOF15 (DHT, JPG and DAC share their range) or SOF55 of JPEG-LS. */
function isFrameHeader(marker: number): boolean {
  return marker === 0xf7 || (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
