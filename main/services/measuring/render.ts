import sharp from "sharp";
import type { PictureSize } from "../../../core/cardiac/points.ts";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import type { DecodedImage, GreyPixels } from "../../imaging/decode-image.ts";
import { processedLongestSidePx } from "../../imaging/processed-size.ts";
import { drawMeasurement, type DrawnMeasurement } from "./measurement-drawing.ts";
import { drawStrip, stripHeightPx, stripOf, type Strip } from "./measurement-strip.ts";
import { straightenedFilm } from "./rectified-film.ts";

/** For readable lines and letters [px]. */
const minPictureSidePx = 900;

/** Red, green, blue, row-major, 0–255. */
export type DrawnFilm = { readonly data: Buffer; readonly widthPx: number; readonly heightPx: number };

/**
 * Draws a measurement on its film, with a strip of the scores under it, as PNG.
 *
 * @param image  the measured film, or for a measurement with corners the photograph that contains it
 * @throws AppError INVALID_IMAGE, INVALID_CORNERS
 */
export async function renderMeasurement(image: DecodedImage, measurement: MeasuredRadiograph): Promise<Buffer> {
  const drawn = { heart: measurement.landmarks, ruler: measurement.ruler, score: measurement.score };
  const { data, widthPx, heightPx } = await drawOnFilm(await filmOf(image, measurement), {
    drawn,
    frame: measurement,
    strip: stripOf(measurement),
  });
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/**
 * @param frame  size of the film that the points refer to [px]
 *
 * @param drawn  null if nothing was measured
 * @param over   draws further marks, as the content of an SVG in the size of the enlarged film
 */
export async function drawOnFilm(
  film: GreyPixels,
  {
    drawn,
    frame,
    strip,
    over = () => "",
  }: {
    readonly drawn: DrawnMeasurement | null;
    readonly frame: PictureSize;
    readonly strip: Strip | null;
    readonly over?: (canvas: { readonly width: number; readonly height: number }) => string;
  },
): Promise<DrawnFilm> {
  const enlargement = Math.max(1, minPictureSidePx / Math.max(film.widthPx, film.heightPx));
  const width = Math.round(film.widthPx * enlargement);
  const height = Math.round(film.heightPx * enlargement);
  const full = height + (strip ? stripHeightPx(strip, width) : 0);
  const marks = drawn ? drawMeasurement(drawn, { width, height, scale: width / frame.widthPx }) : "";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}">${marks}${over({ width, height })}${strip ? drawStrip(strip, { width, top: height }) : ""}</svg>`;
  // Two pipelines, since sharp composites before it extends within one.
  const enlarged = await sharp(film.grey, { raw: { width: film.widthPx, height: film.heightPx, channels: 1 } })
    .resize({ width, height, fit: "fill", kernel: "mitchell" })
    .extend({ bottom: full - height, background: "black" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info } = enlarged;
  const composed = sharp(enlarged.data, {
    raw: { width: info.width, height: info.height, channels: info.channels },
  }).composite([{ input: Buffer.from(svg) }]);
  return { data: await composed.removeAlpha().raw().toBuffer(), widthPx: width, heightPx: full };
}

async function filmOf(image: DecodedImage, { corners }: MeasuredRadiograph): Promise<GreyPixels> {
  if (corners === null) return { ...image, grey: image.shown };
  return straightenedFilm(image, corners, { longestSidePx: processedLongestSidePx });
}
