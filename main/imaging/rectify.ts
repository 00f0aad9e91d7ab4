import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import { AppError } from "../../core/app-error.ts";
import { type Corners, cornersInOtherSize, distancePx, type PictureSize } from "../../core/cardiac/points.ts";
import type { ColourPixels, DecodedImage } from "./decode-image.ts";
import { straightenedSizePx, unitSquareTo } from "./homography.ts";
import { lumaOf } from "./pixel-colours.ts";
import { warpRows } from "./warp-rows.ts";

const rectifiedJpegQuality = 92;
/** Output pixels between two turns of the event loop: a few milliseconds of work. */
const pixelsPerTurn = 150_000;
/** Maximum number of source pixels per output pixel that bilinear sampling handles without aliasing. */
const finestSampling = 1.25;

export type RectifiedFilm = ColourPixels & {
  /**
   * Encodes on demand, since most callers only measure; in grey, since tints of the screen would make the measurement
   * treat the film as a close-up of a screen.
   */
  readonly toJpeg: () => Promise<Buffer>;
  /** Rec.601 luma, row-major, 0–255; computed on demand. */
  readonly grey: Uint8Array;
};

/**
 * Cuts a film out of a photograph of a screen.
 *
 * @param corners        TL, TR, BR, BL [px of the full-size upright picture]; see `validateCorners`
 * @param longestSidePx  upper limit of the film's size; without it the film keeps its size in the photograph
 * @throws AppError INVALID_IMAGE, ABORTED
 */
export async function rectify(
  photo: DecodedImage,
  corners: Corners,
  options: { readonly longestSidePx?: number; readonly signal?: AbortSignal } = {},
): Promise<RectifiedFilm> {
  const full = { widthPx: photo.fullWidthPx, heightPx: photo.fullHeightPx };
  const natural = straightenedSizePx(corners, full);
  const reduction = Math.min(1, (options.longestSidePx ?? Infinity) / Math.max(natural.widthPx, natural.heightPx));
  const source = await photo.fullColour(sourceLongestSidePx(corners, full, reduction));
  const scaled = cornersInOtherSize(corners, full, source);
  const size = {
    widthPx: Math.max(1, Math.round(natural.widthPx * reduction)),
    heightPx: Math.max(1, Math.round(natural.heightPx * reduction)),
  };
  return rectifiedFilm(await warpPerspective(source, scaled, size, options.signal));
}

/** Interpolates bilinearly; black outside the source. Yields to the event loop. @throws AppError ABORTED */
export async function warpPerspective(
  source: ColourPixels,
  corners: Corners,
  size: PictureSize,
  signal?: AbortSignal,
): Promise<ColourPixels> {
  const target: ColourPixels = { ...size, channels: 3, data: new Uint8Array(size.widthPx * size.heightPx * 3) };
  const map = unitSquareTo(corners);
  const rowsPerTurn = Math.max(1, Math.floor(pixelsPerTurn / size.widthPx));
  for (let row = 0; row < size.heightPx; row += rowsPerTurn) {
    if (signal?.aborted) throw new AppError("ABORTED");
    warpRows(source, target, map, row, Math.min(size.heightPx, row + rowsPerTurn));
    await setImmediate();
  }
  return target;
}

/** Longest side of the source: a photograph much finer than the film is first reduced with a better filter. */
function sourceLongestSidePx(corners: Corners, full: PictureSize, reduction: number): number {
  const edges = corners.map((corner, index) => distancePx(corner, corners[(index + 1) % 4] ?? corner));
  const longestEdgePx = Math.max(...edges);
  const scale =
    longestEdgePx * reduction < longestEdgePx / finestSampling ? Math.min(1, reduction * finestSampling) : 1;
  return Math.max(1, Math.round(Math.max(full.widthPx, full.heightPx) * scale));
}

export function rectifiedFilm(pixels: ColourPixels): RectifiedFilm {
  const { data, widthPx, heightPx } = pixels;
  let grey: Uint8Array | null = null;
  const greyOnce = () => (grey ??= lumaOf(data));
  return {
    ...pixels,
    get grey() {
      return greyOnce();
    },
    toJpeg: () =>
      sharp(greyOnce(), { raw: { width: widthPx, height: heightPx, channels: 1 } })
        .jpeg({ quality: rectifiedJpegQuality })
        .toBuffer(),
  };
}
