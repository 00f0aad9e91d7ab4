import type { PictureSize } from "../../core/cardiac/points.ts";

/** Longest side of a film in a measurement [px]; larger films are reduced to it. */
export const processedLongestSidePx = 1080;

export function processedSizePx(film: PictureSize): PictureSize {
  const scale = Math.min(1, processedLongestSidePx / Math.max(film.widthPx, film.heightPx));
  return {
    widthPx: Math.max(1, Math.round(film.widthPx * scale)),
    heightPx: Math.max(1, Math.round(film.heightPx * scale)),
  };
}
