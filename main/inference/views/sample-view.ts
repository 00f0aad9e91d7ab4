import type { Point } from "../../../core/cardiac/points.ts";
import type { FilmLevel } from "./film-levels.ts";

/** Position of a view's top left pixel, and the steps to the next pixel to the right and down [film px]. */
export type ViewPlacement = { readonly origin: Point; readonly right: Point; readonly down: Point };

/**
 * Coordinates are integers in units of 1/65536 px, weights in units of 1/256: faster than floating point, with an error
 * of less than two thousandths of the range.
 */
const one = 65536;

/** Value of white from `sampleLine`. */
export const whiteSample = 255 * one;
const share = Math.fround(1 / whiteSample);

/** Fills `view`, [side, side], row-major, 0–1, with one bilinear sample per pixel; black outside the film. */
export function samplePlacedView(
  film: FilmLevel,
  { origin, right, down }: ViewPlacement,
  side: number,
  view: Float32Array,
): void {
  const bytes = bytesOf(film);
  const sums = new Int32Array(side);
  for (let row = 0; row < side; row += 1) {
    sampleRow(film, bytes, { x: origin.x + row * down.x, y: origin.y + row * down.y }, right, sums);
    const start = row * side;
    for (let column = 0; column < side; column += 1) view[start + column] = (sums[column] as number) * share;
  }
}

/** Samples along a straight line [film px], bilinear, black outside the film: levels in units of 1/65536. */
export function sampleLine(film: FilmLevel, start: Point, step: Point, sums: Int32Array): void {
  sampleRow(film, bytesOf(film), start, step, sums);
}

function bytesOf({ data }: FilmLevel): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

/**
 * Fills a row with samples, each interpolated from four pixels of the film; black beyond the film's border. Reads two
 * neighbours at a time and interpolates the upper and the lower pair together in the halves of one number.
 */
function sampleRow({ width, height }: FilmLevel, bytes: DataView, start: Point, right: Point, sums: Int32Array): void {
  const stride = width + 3;
  const [firstX, firstY, stepX, stepY] = [firstOf(start.x), firstOf(start.y), stepOf(right.x), stepOf(right.y)];
  const [endX, endY] = [(width + 1) << 16, (height + 1) << 16];
  const from = Math.max(entryOf(firstX, stepX, endX), entryOf(firstY, stepY, endY));
  const to = Math.min(sums.length, exitOf(firstX, stepX, endX), exitOf(firstY, stepY, endY));
  sums.fill(0);
  let x = (firstX + from * stepX) | 0;
  let y = (firstY + from * stepY) | 0;
  for (let column = from; column < to; column += 1) {
    const at = (Math.imul(y >> 16, stride) + (x >> 16)) | 0;
    const four = bytes.getUint16(at, true) | (bytes.getUint16((at + stride) | 0, true) << 16);
    const left = four & 0xff00ff;
    const mixed = ((left << 8) + Math.imul((((four >>> 8) & 0xff00ff) - left) | 0, (x >> 8) & 0xff)) | 0;
    const upper = mixed & 0xffff;
    const lower = mixed >>> 16;
    sums[column] = ((upper << 8) + Math.imul((lower - upper) | 0, (y >> 8) & 0xff)) | 0;
    x = (x + stepX) | 0;
    y = (y + stepY) | 0;
  }
}

/** Index of the first sample in the film or its border; Infinity if there is none. */
function entryOf(first: number, step: number, end: number): number {
  if (first < 0) return step > 0 ? Math.ceil(-first / step) : Infinity;
  if (first > end) return step < 0 ? Math.ceil((end - first) / step) : Infinity;
  return 0;
}

/** Index of the first sample after the last one in the film. */
function exitOf(first: number, step: number, end: number): number {
  if (step === 0) return Infinity;
  return Math.floor((step > 0 ? end - first : -first) / step) + 1;
}

/** Coordinate including the border, plus half of 1/256, since weights are truncated to 1/256. */
function firstOf(start: number): number {
  return Math.round((start + 1) * one) + 128;
}

function stepOf(right: number): number {
  return Math.round(right * one);
}
