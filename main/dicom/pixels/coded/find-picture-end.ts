import type { PictureDescription } from "../picture-description.ts";
import type { PictureCoding } from "./codec-module.ts";
import { endOfCodestream } from "./coded-form.ts";
import { endOfRle } from "./rle.ts";

type Size = Pick<PictureDescription, "widthPx" | "heightPx">;

const marker = { startOfImage: 0xd8, endOfImage: 0xd9 } as const;

/** Offset of the end of the first compressed picture; the length of the bytes if there is no end marker. */
export function findPictureEnd(bytes: Uint8Array, coding: PictureCoding, picture: Size): number {
  switch (coding) {
    case "DecodeRle":
      return endOfRle(bytes, picture);
    case "DecodeJpeg2000":
    case "DecodeHtJpeg2000":
      return endOfCodestream(bytes) ?? bytes.length;
    case "DecodeJpeg":
    case "DecodeJpegLs":
      return endOfJpeg(bytes);
  }
}

/** Offset after EOI, or of the SOI of another picture. @see ISO/IEC 10918-1 B.1.1, ISO/IEC 14495-1 A.1 */
function endOfJpeg(bytes: Uint8Array): number {
  let at = 2;
  while (at + 1 < bytes.length) {
    const code = bytes[at + 1] as number;
    // Skip bytes of a scan (JPEG stuffs a zero byte after 0xff, JPEG-LS a zero bit), restart markers and fill bytes.
    if (bytes[at] !== 0xff || code < 0x80 || (code >= 0xd0 && code <= 0xd7) || code === 0xff) at += 1;
    else if (code === marker.endOfImage) return at + 2;
    else if (code === marker.startOfImage) return at;
    else at += 2 + lengthAt(bytes, at + 2);
  }
  return bytes.length;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
