import { AppError, because } from "../../../../core/app-error.ts";
import { isJpeg } from "../../../imaging/decoding/decoding-bytes.ts";
import { isFrame, jpegSegments, startOfScan } from "../../../imaging/decoding/jpeg-segments.ts";
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

/** Marker of a JPEG-LS frame (SOF55). */
const jpegLsFrame = 0xf7;

/**
 * Reads and checks the header of a frame, so that no decoder allocates memory for another size than the file states.
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

/** Detects the coding from the first bytes; null for unrecognised bytes under an uncompressed syntax. */
export function codingOf(bytes: Uint8Array, stated: PictureCoding | "native"): PictureCoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) {
    const frame = segmentOf(bytes, isFrameHeader);
    if (frame !== null) return frame[1] === jpegLsFrame ? "DecodeJpegLs" : "DecodeJpeg";
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
  const frame = segmentOf(bytes, isFrameHeader);
  if (frame === null) return null;
  const view = viewOf(frame);
  const components = view.getUint8(9);
  const scan = segmentOf(bytes, (code) => code === startOfScan);
  return {
    precisionBits: view.getUint8(4),
    heightPx: view.getUint16(5),
    widthPx: view.getUint16(7),
    components,
    isSigned: false,
    isPlanar: frame[1] === jpegLsFrame && components > 1 && scan?.[4] === 1,
    isLumaFirst: components === 3 && frame.length >= 19 ? isLumaFirst(bytes, frame, isHalfWidth) : null,
  };
}

/**
 * Whether three components are YCbCr by the markers of the codestream. They take precedence over Photometric
 * Interpretation, which may describe the picture before or after its compression. @see ISO/IEC 10918-6 6.5.3
 */
function isLumaFirst(bytes: Uint8Array, frame: Uint8Array, isHalfWidth: boolean): boolean | null {
  const component = (index: number, byte: number) => frame[10 + 3 * index + byte] as number;
  const adobe = segmentOf(bytes, (code) => code === 0xee);
  if (adobe !== null && hasText(adobe, 4, "Adobe")) return adobe[15] !== 0;
  if (component(0, 1) !== component(1, 1)) return true;
  if (hasText(Uint8Array.of(component(0, 0), component(1, 0), component(2, 0)), 0, "RGB")) return false;
  // Only lossy JPEG converts colours and halves their width.
  if (frame[1] === 0xc3 || frame[1] === jpegLsFrame) return isHalfWidth ? false : null;
  const jfif = segmentOf(bytes, (code) => code === 0xe0);
  return jfif !== null && hasText(jfif, 4, "JFIF") ? true : null;
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

function segmentOf(bytes: Uint8Array, isWanted: (code: number) => boolean): Uint8Array | null {
  if (!isJpeg(bytes)) return null;
  for (const { code, bytes: segment } of jpegSegments(bytes))
    if (isWanted(code) && segment.length >= 10) return segment;
  return null;
}

function isFrameHeader(code: number): boolean {
  return code === jpegLsFrame || isFrame(code);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
