import type { Point } from "../../core/cardiac/points.ts";
import { toImage, type GreyImage, type NetworkFrame } from "./landmark-frames.ts";

/** Coordinates and weights are whole numbers of 1/65536 px: five times as fast as floating point, and off by less than a thousandth of the range. */
const one = 1 << 16;

/** Where a row of samples starts and how far it goes from column to column [image px]. */
type SampleRow = { readonly start: Point; readonly step: Point };
/** Columns from `from` up to but not including `to`. */
type Columns = { readonly from: number; readonly to: number };

/** A sample this close to the last row or column of pixels is taken with care: rounding may carry it beyond [px]. */
const roundingPx = 1 / 64;

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
 * @param view    Float32Array [1, 1, side, side], row-major: filled with values 0–1
 */
export function sampleFrame([image, ...coarser]: readonly GreyImage[], frame: NetworkFrame, side: number, view: Float32Array): void {
  if (!image) throw new RangeError("no image to sample");
  const [xx, xy, yx, yy] = frame.matrix;
  const shrink = 1 / Math.sqrt(Math.abs(xx * yy - xy * yx));
  if (shrink >= 2 && coarser.length > 0) return sampleFrame(coarser, onHalf(frame), side, view);
  const grid = Math.max(1, Math.ceil(shrink - 0.2));
  const origin = toImage(frame, { x: 0, y: 0 });
  const right = towards(origin, toImage(frame, { x: 1, y: 0 }));
  const down = towards(origin, toImage(frame, { x: 0, y: 1 }));
  const sums = new Int32Array(side);
  const share = 1 / (255 * grid * grid * one);
  // Two neighbouring pixels are read at once as one 16-bit number.
  const pixels = new DataView(image.data.buffer, image.data.byteOffset, image.data.byteLength);
  for (let row = 0; row < side; row += 1) {
    sums.fill(0);
    for (let sample = 0; sample < grid * grid; sample += 1) {
      const across = ((sample % grid) + 0.5) / grid - 0.5;
      const along = row + (Math.floor(sample / grid) + 0.5) / grid - 0.5;
      const samples = { start: { x: origin.x + along * down.x + across * right.x, y: origin.y + along * down.y + across * right.y }, step: right };
      const inside = columnsWithin(samples, roundingPx, image.width - 1 - roundingPx, image.height - 1 - roundingPx, { from: 0, to: side });
      const touching = columnsWithin(samples, -1 - roundingPx, image.width + roundingPx, image.height + roundingPx, { from: 0, to: side });
      addBorder(image, sums, samples, { from: touching.from, to: Math.min(touching.to, inside.from) });
      addInside(pixels, image.width, sums, samples, inside);
      addBorder(image, sums, samples, { from: Math.max(touching.from, inside.to), to: touching.to });
    }
    for (let column = 0; column < side; column += 1) view[row * side + column] = (sums[column] as number) * share;
  }
}

/** Means of 2 x 2 pixels; an odd last row or column is left out. */
function halfOf(image: GreyImage) {
  const half = { data: sharedBytes((image.width >> 1) * (image.height >> 1)), width: image.width >> 1, height: image.height >> 1 };
  const { data, width } = image;
  for (let row = 0, at = 0; row < half.height; row += 1) {
    let from = 2 * row * width;
    for (let column = 0; column < half.width; column += 1, at += 1, from += 2) {
      const upper = (data[from] as number) + (data[from + 1] as number);
      const lower = (data[from + width] as number) + (data[from + width + 1] as number);
      half.data[at] = (upper + lower + 2) >> 2;
    }
  }
  return half;
}

function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** The same view, of the halved image: pixel (i, j) of the half is centred on (2 i + 0.5, 2 j + 0.5) of the whole. */
function onHalf({ matrix: [xx, xy, yx, yy], offset: [x, y] }: NetworkFrame): NetworkFrame {
  return { matrix: [2 * xx, 2 * xy, 2 * yx, 2 * yy], offset: [x + (xx + xy) / 2, y + (yx + yy) / 2] };
}

function towards(from: Point, to: Point): Point {
  return { x: to.x - from.x, y: to.y - from.y };
}

/** Columns whose sample has both coordinates in [least, most), x and y each with their own end. */
function columnsWithin({ start, step }: SampleRow, least: number, mostX: number, mostY: number, { from, to }: Columns): Columns {
  const first = Math.max(from, firstWithin(start.x, step.x, least, mostX), firstWithin(start.y, step.y, least, mostY));
  const last = Math.min(to, -firstWithin(start.x, -step.x, least, mostX) + 1, -firstWithin(start.y, -step.y, least, mostY) + 1);
  return { from: Math.min(to, first), to: Math.max(Math.min(to, first), last) };
}

/** First whole column at which start + column * step lies in [least, most); infinite where there is none. */
function firstWithin(start: number, step: number, least: number, most: number): number {
  if (step === 0) return start >= least && start < most ? -Infinity : Infinity;
  return Math.ceil((step > 0 ? least - start : most - start) / step);
}

/** Adds one sample to columns whose four neighbours are in the image. Both rows of neighbours are mixed by one multiplication, as halves of a number. */
function addInside(pixels: DataView, width: number, sums: Int32Array, { start, step }: SampleRow, { from, to }: Columns): void {
  const stepX = Math.round(step.x * one);
  const stepY = Math.round(step.y * one);
  // Half of 1/256 more, because the weights below are cut off to 1/256.
  let x = Math.round((start.x + from * step.x) * one) + 128;
  let y = Math.round((start.y + from * step.y) * one) + 128;
  for (let column = from; column < to; column += 1, x = (x + stepX) | 0, y = (y + stepY) | 0) {
    const at = (Math.imul(y >> 16, width) + (x >> 16)) | 0;
    const four = pixels.getUint16(at, true) | (pixels.getUint16(at + width, true) << 16);
    const left = four & 0xff00ff;
    const right = (four >>> 8) & 0xff00ff;
    const mixed = ((left << 8) + Math.imul(right - left, (x >> 8) & 255)) | 0;
    const upper = mixed & 0xffff;
    const lower = mixed >>> 16;
    sums[column] = (sums[column] as number) + (upper << 8) + Math.imul(lower - upper, (y >> 8) & 255);
  }
}

/** The same where neighbours may be outside the image, where it is black. */
function addBorder({ data, width, height }: GreyImage, sums: Int32Array, { start, step }: SampleRow, { from, to }: Columns): void {
  const pixel = (column: number, row: number): number => (column < 0 || row < 0 || column >= width || row >= height ? 0 : (data[row * width + column] as number));
  for (let column = from; column < to; column += 1) {
    const x = start.x + column * step.x;
    const y = start.y + column * step.y;
    const left = Math.floor(x);
    const top = Math.floor(y);
    const upper = pixel(left, top) + (pixel(left + 1, top) - pixel(left, top)) * (x - left);
    const lower = pixel(left, top + 1) + (pixel(left + 1, top + 1) - pixel(left, top + 1)) * (x - left);
    sums[column] = (sums[column] as number) + Math.round((upper + (lower - upper) * (y - top)) * one);
  }
}
