import sharp, { type Sharp } from "sharp";
import { plainJpeg } from "./decoding/plain-jpeg.ts";
import { maximumPixels } from "./picture-shape.ts";

/**
 * Opens a picture upright and without metadata, with the file's bit depth and sample values regardless of its colour
 * profile. `deepSpace` is the colour space of 16-bit samples, null for 8 bits.
 */
export async function openUprightPicture(
  bytes: Uint8Array,
): Promise<{ readonly image: Sharp; readonly deepSpace: "grey16" | "rgb16" | null }> {
  const image = sharp(plainJpeg(bytes), { limitInputPixels: maximumPixels, autoOrient: true, ignoreIcc: true });
  const { depth, space } = await image.metadata();
  if (depth !== "ushort") return { image, deepSpace: null };
  const deepSpace = space === "grey16" ? space : "rgb16";
  return { image: image.toColourspace(deepSpace), deepSpace };
}
