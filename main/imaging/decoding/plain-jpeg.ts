import { isJpeg } from "./decoding-bytes.ts";
import { isFrame, jpegSegments, startOfScan } from "./jpeg-segments.ts";
import { withStrictEnd, type JpegFrame } from "./whole-jpeg.ts";

const marker = { app0: 0xe0, app14: 0xee, endOfImage: 0xd9 } as const;
const sequentialFrames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc9]);

/** Highest of Adobe's colour transforms that the decoder supports: none, YCbCr, YCCK. */
const lastTransform = 2;

/**
 * Removes anomalies of a JPEG's header that the decoder reports like damage of the scan: bytes between segments, an
 * unknown revision of JFIF or transform of Adobe, and spectral bounds in the scan of a sequential frame, where they
 * have no meaning. Coded samples stay unchanged, and the end is rewritten so that missing samples are detected.
 */
export function plainJpeg(bytes: Uint8Array): Uint8Array {
  if (!isJpeg(bytes)) return bytes;
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let frame: JpegFrame | null = null;
  for (const { code, at, bytes: segment } of jpegSegments(bytes)) {
    if (code < 0xc0 || code === marker.endOfImage || segment.length < 4) return bytes;
    if (isFrame(code)) frame = { code, components: segment[9] ?? 0, firstComponent: segment[10] ?? 0 };
    const plain = plainSegment(segment, frame);
    parts.push(plain);
    if (code !== startOfScan) continue;
    const head = Buffer.concat(parts);
    const end = at + segment.length;
    const whole = head.equals(bytes.subarray(0, end)) ? bytes : Buffer.concat([head, bytes.subarray(end)]);
    return frame ? withStrictEnd(whole, head.length - plain.length, frame) : whole;
  }
  return bytes;
}

/** Returns the segment itself if it has no anomaly. */
function plainSegment(segment: Uint8Array, frame: JpegFrame | null): Uint8Array {
  const isSequential = frame !== null && sequentialFrames.has(frame.code);
  const code = segment[1];
  if (code === marker.app0 && hasText(segment, "JFIF\0") && segment[9] !== 1) return replaced(segment, 9, [1, 2]);
  if (code === marker.app14 && hasText(segment, "Adobe") && (segment[15] ?? 0) > lastTransform)
    return replaced(segment, 15, [frame?.components === 4 ? lastTransform : 1]);
  const bounds = [0, 63, 0];
  const at = segment.length - bounds.length;
  const isOdd = isSequential && code === startOfScan && bounds.some((value, index) => segment[at + index] !== value);
  return isOdd ? replaced(segment, at, bounds) : segment;
}

function hasText(segment: Uint8Array, text: string): boolean {
  return Buffer.from(segment.subarray(4, 4 + text.length)).toString("latin1") === text;
}

function replaced(segment: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const copy = Uint8Array.from(segment);
  copy.set(values, at);
  return copy;
}
