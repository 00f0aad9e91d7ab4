import sharp from "sharp";
import type { GreyPixels } from "./decode-image.ts";

/** Cells along each side in which two pictures are compared. */
const cells = 32;
/** Correlation from which two pictures are one: a film that was compressed or windowed again stays above it. */
const leastCorrelation = 0.995;
/** Below this deviation of its greys a picture shows nothing that could be compared. */
const leastDeviation = 1;

/**
 * Whether two pictures show the same film, however it was compressed, and in whatever greys. An empty picture speaks
 * for nothing.
 */
export async function isSamePicture(one: GreyPixels, other: GreyPixels): Promise<boolean> {
  const [a, b] = [await shape(one), await shape(other)];
  if (a === null || b === null) return true;
  const correlation = a.reduce((sum, value, cell) => sum + value * (b[cell] ?? 0), 0) / a.length;
  return correlation >= leastCorrelation;
}

/** The picture's cells with mean 0 and deviation 1; null for one that is empty. */
async function shape({ grey, widthPx, heightPx }: GreyPixels): Promise<readonly number[] | null> {
  const data = await sharp(grey, { raw: { width: widthPx, height: heightPx, channels: 1 } })
    .resize({ width: cells, height: cells, fit: "fill" })
    .raw()
    .toBuffer();
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
  const deviation = Math.sqrt(data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length);
  return deviation < leastDeviation ? null : [...data].map((value) => (value - mean) / deviation);
}
