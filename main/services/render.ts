import sharp from "sharp";
import { inOtherSize } from "../../core/cardiac/points.ts";
import type { MeasuredRadiograph } from "../../core/cardiac/radiograph-measurement.ts";
import { processedLongestSidePx, type DecodedImage, type GreyPixels } from "../imaging/decode-image.ts";
import { rectify } from "../imaging/rectify.ts";
import { validateCorners } from "../imaging/validate-corners.ts";
import { drawMeasurement, panelHeightPx } from "./measurement-drawing.ts";

/** A smaller film is enlarged to this, so that lines and letters stay readable [px of the longest side]. */
const leastPictureSidePx = 900;

/**
 * Draws a measurement on its film: axes, landmarks, the vertebral ruler with its ticks, and under the film a strip with the scores.
 *
 * @param image  the film that was measured; for a measurement with corners, the photograph that the film is in
 * @returns      PNG
 * @throws AppError INVALID_IMAGE, INVALID_CORNERS
 */
export async function renderMeasurement(image: DecodedImage, measurement: MeasuredRadiograph): Promise<Buffer> {
  const film = await filmOf(image, measurement);
  const scale = Math.max(1, leastPictureSidePx / Math.max(film.widthPx, film.heightPx));
  const width = Math.round(film.widthPx * scale);
  const height = Math.round(film.heightPx * scale);
  const drawing = drawMeasurement(measurement, { width, height, scale: width / measurement.widthPx });
  // Two steps: within one, sharp composes before it extends.
  const enlarged = await sharp(film.grey, { raw: { width: film.widthPx, height: film.heightPx, channels: 1 } })
    .resize({ width, height, fit: "fill", kernel: "mitchell" })
    .extend({ bottom: panelHeightPx(width), background: "black" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info } = enlarged;
  return sharp(enlarged.data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    .composite([{ input: Buffer.from(drawing) }])
    .png({ compressionLevel: 6 })
    .toBuffer();
}

async function filmOf(image: DecodedImage, { corners }: MeasuredRadiograph): Promise<GreyPixels> {
  if (corners === null) return image;
  const full = { widthPx: image.fullWidthPx, heightPx: image.fullHeightPx };
  const inFull = corners.map((corner) => inOtherSize(corner, image, full)).map(({ x, y }) => [x, y]);
  return rectify(image, validateCorners(inFull, full), { longestSidePx: processedLongestSidePx });
}
