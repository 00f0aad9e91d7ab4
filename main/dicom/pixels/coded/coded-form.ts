import type { PictureCoding } from "./codec-module.ts";
import { endOfScan, isRestart } from "../../../imaging/decoding/jpeg-segments.ts";

const markers = { start: 0xd8, end: 0xd9, scan: 0xda } as const;
const endMarker = Buffer.from([0xff, markers.end]);

/**
 * Whether the markers of a picture are complete; a decoding failure may then be a limitation of the decoder. Truncated
 * or overwritten data has no end marker, or breaks off within a segment. @see ISO/IEC 10918-1 B, 14495-1 C, 15444-1 A
 */
export function hasWholeForm(bytes: Uint8Array, coding: PictureCoding): boolean {
  if (coding === "DecodeJpeg2000" || coding === "DecodeHtJpeg2000") return completeJpeg2000(bytes) === bytes;
  // The byte planes of RLE have no markers.
  return coding !== "DecodeRle" && hasWholeSegments(bytes, coding === "DecodeJpegLs");
}

function hasWholeSegments(bytes: Uint8Array, isJpegLs: boolean): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== markers.start) return false;
  let hasScan = false;
  for (let at = 2; at + 1 < bytes.length;) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] as number;
    if (marker === markers.end) return hasScan;
    if (marker === 0xff) at += 1;
    else if (isRestart(marker)) at += 2;
    else {
      const to = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
      if (marker < 0xc0 || to < at + 4 || to > bytes.length) return false;
      hasScan ||= marker === markers.scan;
      at = marker === markers.scan ? endOfScan(bytes, to, isJpegLs) : to;
    }
  }
  return false;
}

/** Adds an end marker to a JPEG 2000 codestream if it is missing; null for truncated tile-parts. */
export function completeJpeg2000(bytes: Uint8Array): Uint8Array | null {
  const end = endOfTileParts(bytes);
  if (end === null) return null;
  const hasEndMarker = bytes[end] === 0xff && bytes[end + 1] === markers.end;
  return hasEndMarker ? bytes : Buffer.concat([bytes.subarray(0, end), endMarker]);
}

/** Offset after the last tile-part, by their lengths; null if the bytes end before. */
function endOfTileParts(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marker = (at: number) => (at + 2 <= bytes.length ? view.getUint16(at) : -1);
  if (marker(0) !== 0xff4f) return null;
  let at = 2;
  while (marker(at) !== 0xff90) {
    if (marker(at) < 0xff00 || at + 4 > bytes.length) return null;
    at += 2 + view.getUint16(at + 2);
  }
  while (marker(at) === 0xff90) {
    const length = at + 12 <= bytes.length ? view.getUint32(at + 6) : 0;
    // 0: the tile-part extends to the end marker, a code that its data cannot contain.
    if (length === 0) {
      const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(endMarker, at + 12);
      return end < 0 ? null : end;
    }
    if (length < 14) return null;
    at += length;
  }
  return at <= bytes.length ? at : null;
}
