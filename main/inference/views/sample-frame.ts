import type { Point } from "../../../core/cardiac/points.ts";
import type { GreyPixels } from "../../imaging/decode-image.ts";
import { halvedFilm, type FilmLevels } from "./film-levels.ts";
import { toImage, type NetworkFrame } from "./landmark-frames.ts";
import { samplePlacedView, type ViewPlacement } from "./sample-view.ts";

/** Minimum side of a level [px]; no view is so coarse that it needs a smaller one. */
const minLevelSidePx = 64;

/**
 * Maximum coordinate of a view [px of the level], a little below the limit of sample-view.ts. The film would be a speck
 * in a larger view.
 */
const farthestPx = 32_000;

/**
 * Minimum number of a level's pixels in one of the view at which the next, halved level is used, because it is closer
 * to the size of the view.
 */
const finestShrink = Math.SQRT2;

export function imageLevels({ grey, widthPx, heightPx }: GreyPixels): FilmLevels {
  return halvedFilm(grey, widthPx, heightPx, minLevelSidePx);
}

/** Levels of a film's negative; the area outside the film stays black. */
export function negativeLevels([film]: FilmLevels): FilmLevels {
  const { data, width, height } = film;
  const pixels = new Uint8Array(width * height);
  for (let row = 0, at = 0; row < height; row++) {
    const start = (row + 1) * (width + 3) + 1;
    for (let x = 0; x < width; x++) pixels[at++] = 255 - (data[start + x] as number);
  }
  return halvedFilm(pixels, width, height, minLevelSidePx);
}

/**
 * Samples a network's view, row-major, 0–1, bilinearly from the level whose pixels are closest to the view's size; 0
 * outside the image.
 */
export function sampleFrame(
  [image, ...coarser]: FilmLevels,
  frame: NetworkFrame,
  side: number,
  view: Float32Array,
): void {
  const [xx, xy, yx, yy] = frame.matrix;
  const shrink = 1 / Math.sqrt(Math.abs(xx * yy - xy * yx));
  const [half, ...others] = coarser;
  if (shrink >= finestShrink && half) return sampleFrame([half, ...others], onHalf(frame), side, view);
  const placement = placementOf(frame);
  if (isViewWithinReach(placement, side)) samplePlacedView(image, placement, side, view);
  else view.fill(0);
}

/** The same view of the halved image, whose pixel (i, j) is centred at (2 i + 0.5, 2 j + 0.5) of the whole. */
function onHalf({ matrix: [xx, xy, yx, yy], offset: [x, y] }: NetworkFrame): NetworkFrame {
  return { matrix: [2 * xx, 2 * xy, 2 * yx, 2 * yy], offset: [x + (xx + xy) / 2, y + (yx + yy) / 2] };
}

function placementOf(frame: NetworkFrame): ViewPlacement {
  const origin = toImage(frame, { x: 0, y: 0 });
  const towards = (to: Point) => ({ x: to.x - origin.x, y: to.y - origin.y });
  return { origin, right: towards(toImage(frame, { x: 1, y: 0 })), down: towards(toImage(frame, { x: 0, y: 1 })) };
}

function isViewWithinReach({ origin, right, down }: ViewPlacement, side: number): boolean {
  const step = { x: Math.abs(right.x) + Math.abs(down.x), y: Math.abs(right.y) + Math.abs(down.y) };
  return isWithinReach(origin, step, side);
}

/** Whether `count` samples from a point [px of the level] stay within the range of coordinates. */
export function isWithinReach(start: Point, step: Point, count: number): boolean {
  const reach = (from: number, by: number) => Math.abs(from) + count * Math.abs(by) < farthestPx;
  return reach(start.x, step.x) && reach(start.y, step.y);
}
