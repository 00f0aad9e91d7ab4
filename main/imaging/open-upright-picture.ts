import sharp, { type Sharp } from "sharp";
import { decodeImage } from "./decode-image.ts";
import { plainJpeg } from "./decoding/plain-jpeg.ts";
import { maximumPixels } from "./picture-shape.ts";

/**
 * Opens a picture upright and without metadata, with the file's bit depth and sample values regardless of its colour
 * profile; CMYK in the colours that are measured. `deepSpace` is the colour space of 16-bit samples, null for 8 bits.
 *
 * @throws AppError the errors of `decodeImage`
 */
export async function openUprightPicture(
  bytes: Uint8Array,
): Promise<{ readonly image: Sharp; readonly deepSpace: "grey16" | "rgb16" | null }> {
  const image = sharp(plainJpeg(bytes), { limitInputPixels: maximumPixels, autoOrient: true, ignoreIcc: true });
  const { depth, space } = await image.metadata();
  if (space === "cmyk") {
    const { data, widthPx: width, heightPx: height, channels } = await (await decodeImage(bytes)).fullColour();
    return { image: sharp(data, { raw: { width, height, channels } }), deepSpace: null };
  }
  if (depth !== "ushort") return { image, deepSpace: null };
  const deepSpace = space === "grey16" ? space : "rgb16";
  return { image: image.toColourspace(deepSpace), deepSpace };
}
