import sharp from "sharp";
import { AppError } from "../../core/app-error.ts";
import { maximumPixels } from "../imaging/decode-image.ts";

/** Grey samples of an upright full-size film, row-major; 16 bits little-endian. */
export type FilmPixels = { readonly data: Buffer; readonly widthPx: number; readonly heightPx: number; readonly bits: 8 | 16 };

/**
 * Full-size grey of a film for windowing: 16 bits where the file has them.
 *
 * @throws AppError INVALID_IMAGE
 */
export async function filmPixels(bytes: Uint8Array): Promise<FilmPixels> {
  try {
    const { depth } = await sharp(bytes).metadata();
    const bits = depth === "ushort" ? 16 : 8;
    const image = sharp(bytes, { limitInputPixels: maximumPixels, failOn: "warning", autoOrient: true, sequentialRead: true, ignoreIcc: true })
      .flatten({ background: "black" })
      .toColourspace(bits === 16 ? "grey16" : "b-w")
      .raw({ depth: bits === 16 ? "ushort" : "uchar" });
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return { data, widthPx: info.width, heightPx: info.height, bits };
  } catch (cause) {
    throw new AppError("INVALID_IMAGE", undefined, { cause });
  }
}

/** Media type of a film's file by its signature. */
export function mediaTypeOf(bytes: Uint8Array): "image/png" | "image/jpeg" {
  return bytes[0] === 0x89 ? "image/png" : "image/jpeg";
}
