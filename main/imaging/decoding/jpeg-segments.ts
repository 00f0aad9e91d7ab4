import { AppError } from "../../../core/app-error.ts";

export type JpegSegment = {
  readonly code: number;
  readonly at: number;
  /** Marker, length and content; cut off at the end of the file. */
  readonly bytes: Uint8Array;
};

export const startOfScan = 0xda;

/** Maximum number of segments before the first scan; a longer header is malicious. */
const maxSegments = 10_000;

/**
 * Yields the segments of a JPEG up to the start of its first scan. Skips fill bytes, bytes between segments and markers
 * without a length, as the decoder does.
 *
 * @throws AppError INVALID_IMAGE for too many segments
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  let count = 0;
  for (let at = 2; at + 4 <= bytes.length;) {
    const code = bytes[at + 1] as number;
    if (bytes[at] !== 0xff || code === 0 || code === 0xff) at += 1;
    else if (code === 0x01 || (code >= 0xd0 && code <= 0xd8)) at += 2;
    else {
      if ((count += 1) > maxSegments) throw new AppError("INVALID_IMAGE");
      const end = at + 2 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
      yield { code, at, bytes: bytes.subarray(at, end) };
      if (code === startOfScan) return;
      at = end;
    }
  }
}

/**
 * Offset of the marker after the coded samples of a scan, or of the end. In samples, a zero byte follows each 0xff, in
 * JPEG-LS a zero bit; fill bytes and restart markers are part of them.
 */
export function endOfScan(bytes: Uint8Array, from: number, isJpegLs = false): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1] ?? 0xff;
    if (code >= (isJpegLs ? 0x80 : 0x01) && code !== 0xff && !isRestart(code)) return at;
  }
  return bytes.length;
}

export function isRestart(code: number): boolean {
  return code >= 0xd0 && code <= 0xd7;
}

/** Whether a marker begins a frame; 0xC4, 0xC8 and 0xCC are in the range but do not. */
export function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
}
