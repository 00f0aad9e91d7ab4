import type { Point } from "../../core/cardiac/points.ts";
import { toImage, type GreyImage, type NetworkFrame } from "./landmark-frames.ts";

/** Coordinates and weights are whole numbers of 1/65536 px: five times as fast as floating point, and off by less than a thousandth of the range. */
const one = 1 << 16;

/** Where a row of samples starts and how far it goes from column to column [image px]. */
type SampleRow = { readonly start: Point; readonly step: Point };

/** No view is so coarse that it would need an image with a shorter side than this [px]. */
const leastLevelPx = 64;

/**
 * An image and its halves, made once for all views of it and in memory that the networks' threads share.
 *
 * @returns the image itself, then each at half the size of the one before
 */
export function imageLevels(image: GreyImage): readonly GreyImage[] {
  const levels = [{ ...image, data: sharedBytes(image.data.length) }];
  levels[0]?.data.set(image.data);
  for (let last = levels[0] as GreyImage; Math.min(last.width, last.height) >= 2 * leastLevelPx; last = levels.at(-1) as GreyImage) {
    levels.push(halfOf(last));
  }
  return levels;
}

/**
 * Samples what a network sees: from the halved image where it is more than twice as fine, bilinear with enough samples per pixel
 * that shrinking does not alias; outside the image 0.
 *
 * @param levels  as `imageLevels` gives them
 * @returns       Float32Array [1, 1, side, side], row-major, 0–1
 */
export function sampleFrame([image, ...coarser]: readonly GreyImage[], frame: NetworkFrame, side: number): Float32Array {
  if (!image) throw new RangeError("no image to sample");
  const [xx, xy, yx, yy] = frame.matrix;
  const shrink = 1 / Math.sqrt(Math.abs(xx * yy - xy * yx));
  if (shrink >= 2 && coarser.length > 0) return sampleFrame(coarser, onHalf(frame), side);
  const grid = Math.max(1, Math.ceil(shrink - 0.2));
  const origin = toImage(frame, { x: 0, y: 0 });
  const right = towards(origin, toImage(frame, { x: 1, y: 0 }));
  const down = towards(origin, toImage(frame, { x: 0, y: 1 }));
  const out = new Float32Array(side * side);
  const sums = new Int32Array(side);
  const share = 1 / (255 * grid * grid * one);
  for (let row = 0; row < side; row += 1) {
    sums.fill(0);
    for (let sample = 0; sample < grid * grid; sample += 1) {
      const across = ((sample % grid) + 0.5) / grid - 0.5;
      const along = row + (Math.floor(sample / grid) + 0.5) / grid - 0.5;
      const start = { x: origin.x + along * down.x + across * right.x, y: origin.y + along * down.y + across * right.y };
      addRow(image, sums, { start, step: right });
    }
    for (let column = 0; column < side; column += 1) out[row * side + column] = (sums[column] as number) * share;
  }
  return out;
}

/** Means of 2 x 2 pixels; an odd last row or column is left out. */
function halfOf(image: GreyImage) {
  const half = { data: sharedBytes((image.width >> 1) * (image.height >> 1)), width: image.width >> 1, height: image.height >> 1 };
  for (let row = 0, at = 0; row < half.height; row += 1) {
    let from = 2 * row * image.width;
    for (let column = 0; column < half.width; column += 1, at += 1, from += 2) half.data[at] = meanOfFour(image, from);
  }
  return half;
}

function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

function meanOfFour({ data, width }: GreyImage, at: number): number {
  return ((data[at] as number) + (data[at + 1] as number) + (data[at + width] as number) + (data[at + width + 1] as number) + 2) >> 2;
}

/** The same view, of the halved image: pixel (i, j) of the half is centred on (2 i + 0.5, 2 j + 0.5) of the whole. */
function onHalf({ matrix: [xx, xy, yx, yy], offset: [x, y] }: NetworkFrame): NetworkFrame {
  return { matrix: [2 * xx, 2 * xy, 2 * yx, 2 * yy], offset: [x + (xx + xy) / 2, y + (yx + yy) / 2] };
}

function towards(from: Point, to: Point): Point {
  return { x: to.x - from.x, y: to.y - from.y };
}

/** Adds one sample to every column of a row: fast where all four neighbours are in the image, with care at its border. */
function addRow(image: GreyImage, sums: Int32Array, row: SampleRow): void {
  const { data, width, height } = image;
  const [fromX, toX] = columnsWithin(row.start.x, row.step.x, width - 1, sums.length);
  const [fromY, toY] = columnsWithin(row.start.y, row.step.y, height - 1, sums.length);
  const from = Math.min(sums.length, Math.max(fromX, fromY));
  const to = Math.max(from, Math.min(toX, toY));
  addBorder(image, sums, row, 0, from);
  addBorder(image, sums, row, to, sums.length);
  const stepX = Math.round(row.step.x * one);
  const stepY = Math.round(row.step.y * one);
  // Half of 1/256 more, because the weights below are cut off to 1/256.
  let x = Math.round((row.start.x + from * row.step.x) * one) + 128;
  let y = Math.round((row.start.y + from * row.step.y) * one) + 128;
  for (let column = from; column < to; column += 1, x = (x + stepX) | 0, y = (y + stepY) | 0) {
    const at = (y >> 16) * width + (x >> 16);
    const rightPart = (x >> 8) & 255;
    const upperLeft = data[at] as number;
    const lowerLeft = data[at + width] as number;
    const upper = (upperLeft << 8) + ((data[at + 1] as number) - upperLeft) * rightPart;
    const lower = (lowerLeft << 8) + ((data[at + width + 1] as number) - lowerLeft) * rightPart;
    sums[column] = (sums[column] as number) + (upper << 8) + (lower - upper) * ((y >> 8) & 255);
  }
}

/** Columns whose coordinate surely lies in [0, limit), a rounding error away from both ends. */
function columnsWithin(start: number, step: number, limit: number, columns: number): [number, number] {
  if (Math.abs(step) < 1e-9) return start >= 0 && start < limit ? [0, columns] : [0, 0];
  const ends = [-start / step, (limit - start) / step];
  return [Math.max(0, Math.ceil(Math.min(...ends) + 0.05)), Math.min(columns, Math.floor(Math.max(...ends) - 0.05) + 1)];
}

function addBorder({ data, width, height }: GreyImage, sums: Int32Array, { start, step }: SampleRow, from: number, to: number): void {
  const pixel = (column: number, row: number): number => (column < 0 || row < 0 || column >= width || row >= height ? 0 : (data[row * width + column] as number));
  for (let column = from; column < to; column += 1) {
    const x = start.x + column * step.x;
    const y = start.y + column * step.y;
    const left = Math.floor(x);
    const top = Math.floor(y);
    if (left < -1 || top < -1 || left >= width || top >= height) continue;
    const upper = pixel(left, top) + (pixel(left + 1, top) - pixel(left, top)) * (x - left);
    const lower = pixel(left, top + 1) + (pixel(left + 1, top + 1) - pixel(left, top + 1)) * (x - left);
    sums[column] = (sums[column] as number) + Math.round((upper + (lower - upper) * (y - top)) * one);
  }
}
