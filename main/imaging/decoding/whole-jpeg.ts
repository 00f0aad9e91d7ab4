import { endOfScan } from "./jpeg-segments.ts";

const marker = { firstFrame: 0xc0, progressive: 0xc2, endOfImage: 0xd9, startOfScan: 0xda } as const;
const endMarker = Buffer.from([0xff, marker.endOfImage]);
/** The decoder reads ahead by up to one word. If a scan lacks more, it reaches the end of the file and fails. */
const readAhead = Buffer.alloc(8);
const coefficients = 64;

export type JpegFrame = { readonly code: number; readonly components: number; readonly firstComponent: number };

/**
 * Rewrites the end of a JPEG so that the decoder accepts a picture without an end marker and refuses one without its
 * last samples. With an end marker, the decoder ignores missing lines at the end of a scan and missing progressive
 * scans.
 */
export function withStrictEnd(bytes: Uint8Array, scanAt: number, frame: JpegFrame): Uint8Array {
  if (frame.code > marker.progressive) return bytes;
  const isProgressive = frame.code === marker.progressive;
  // Lowest bit of each coefficient of the luma that the scans contain.
  const lowestBits = new Uint8Array(coefficients).fill(255);
  let at = scanAt;
  while (at + 2 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== marker.endOfImage) {
    const code = bytes[at + 1] as number;
    const end = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
    if (code < marker.firstFrame || code === 0xff || end < at + 4 || end > bytes.length) return bytes;
    const isScan = code === marker.startOfScan;
    const next = isScan ? endOfScan(bytes, end) : end;
    if (isScan && !isProgressive && bytes[at + 4] === frame.components)
      return Buffer.concat([bytes.subarray(0, next), readAhead]);
    if (isScan && bytes[at + 5] === frame.firstComponent) {
      const [first = 0, last = 0, bits = 0] = isProgressive ? bytes.subarray(end - 3, end) : [0, 63, 0];
      lowestBits.fill(bits & 15, first, last + 1);
    }
    at = next;
  }
  const isWhole = lowestBits.every((bit) => bit === 0);
  if (isWhole && bytes[at + 1] === marker.endOfImage) return bytes;
  return Buffer.concat([bytes.subarray(0, at), ...(isWhole ? [endMarker] : [])]);
}
