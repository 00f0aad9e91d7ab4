import sharp from "sharp";
import type { GreyPixels } from "./decode-image.ts";

const cells = 32;
/** Minimum correlation of two copies of a picture; recompressed and rewindowed films exceed it. */
const minCorrelation = 0.995;
/** Standard deviation of the grey levels below which a picture is empty. */
const minDeviation = 1;

/** Thumbnail of a picture, to recognise it after its deletion: base64 of 32 x 32 greys, row by row. */
export async function shapeOfPicture({ grey, widthPx, heightPx }: GreyPixels): Promise<string> {
  const data = await sharp(grey, { raw: { width: widthPx, height: heightPx, channels: 1 } })
    .resize({ width: cells, height: cells, fit: "fill" })
    .raw()
    .toBuffer();
  return data.toString("base64");
}

/** Whether two thumbnails show the same film, in any compression and grey levels. An empty picture matches any. */
export function isSamePicture(one: string, other: string): boolean {
  const [a, b] = [normalised(one), normalised(other)];
  if (a === null || b === null) return true;
  const correlation = a.reduce((sum, value, cell) => sum + value * (b[cell] ?? 0), 0) / a.length;
  return correlation >= minCorrelation;
}

function normalised(shape: string): readonly number[] | null {
  const data = Buffer.from(shape, "base64");
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
  const deviation = Math.sqrt(data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length);
  return deviation < minDeviation ? null : [...data].map((value) => (value - mean) / deviation);
}
