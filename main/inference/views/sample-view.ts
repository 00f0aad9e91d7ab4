import type { Point } from "../../../core/cardiac/points.ts";
import type { FilmLevel } from "./film-levels.ts";

/** Where a view's top left pixel lies, and how far it is to the next one on the right and below [film px]. */
export type ViewPlacement = { readonly origin: Point; readonly right: Point; readonly down: Point };

/**
 * Coordinates are whole numbers of 1/65536 px, weights of 1/256: faster than floating point, and off by less than two
 * thousandths of the range.
 */
const one = 65536;

/**
 * Samples a view: bilinear, black outside the film.
 *
 * @param grid  samples along each side of one of its pixels, 1–11: more would not fit into the sums
 * @param view  Float32Array [side, side], row-major: filled with values 0–1
 */
export function samplePlacedView(
  film: FilmLevel,
  placement: ViewPlacement,
  grid: number,
  side: number,
  view: Float32Array,
): void {
  const { right, down } = placement;
  const addRow = right.y === 0 && down.x === 0 ? uprightRows(film, placement, grid) : turnedRows(film, placement, grid);
  const share = Math.fround(1 / (255 * one * grid * grid));
  const sums = new Int32Array(side);
  for (let row = 0; row < side; row += 1) {
    sums.fill(0);
    addRow(row, sums);
    const start = row * side;
    for (let column = 0; column < side; column += 1) view[start + column] = (sums[column] as number) * share;
  }
}

/** Adds all samples of one row of a view to its sums, in units of 1/65536. */
type AddRow = (row: number, sums: Int32Array) => void;

/** Places of the samples of a pixel, from its middle [pixels of the view]. */
function placesOf(grid: number): readonly number[] {
  const between = 1 / grid;
  const places = [];
  for (let place = between / 2 - 0.5; place < 0.5; place += between) places.push(place);
  return places;
}

function turnedRows(film: FilmLevel, { origin, right, down }: ViewPlacement, grid: number): AddRow {
  const places = placesOf(grid);
  const bytes = new DataView(film.data.buffer, film.data.byteOffset, film.data.byteLength);
  return (row, sums) => {
    for (const below of places)
      for (const beside of places) {
        const x = origin.x + (row + below) * down.x + beside * right.x;
        const y = origin.y + (row + below) * down.y + beside * right.y;
        addSamples(film, bytes, { x, y }, right, sums);
      }
  };
}

/**
 * Samples along a straight line: bilinear, black outside the film.
 *
 * @param start  of the line, and how far it is from each sample to the next [film px]
 * @param sums   Int32Array, one value per sample: filled with levels in units of 1/65536
 */
export function sampleLine(film: FilmLevel, start: Point, step: Point, sums: Int32Array): void {
  sums.fill(0);
  addSamples(film, new DataView(film.data.buffer, film.data.byteOffset, film.data.byteLength), start, step, sums);
}

/** What `sampleLine` gives for white. */
export const whiteSample = 255 * one;

/**
 * Adds one sample to each of a row's pixels, mixed of four pixels of the film; beyond the film's border all are black.
 * Two neighbours are read at a time, and those above are mixed together with those below in the halves of one number.
 *
 * @param bytes  of the film
 */
function addSamples({ width, height }: FilmLevel, bytes: DataView, start: Point, right: Point, sums: Int32Array): void {
  const stride = width + 3;
  const [firstX, firstY, stepX, stepY] = [firstOf(start.x), firstOf(start.y), stepOf(right.x), stepOf(right.y)];
  const [endX, endY] = [(width + 1) << 16, (height + 1) << 16];
  const from = Math.max(entryOf(firstX, stepX, endX), entryOf(firstY, stepY, endY));
  const to = Math.min(sums.length, exitOf(firstX, stepX, endX), exitOf(firstY, stepY, endY));
  let x = (firstX + from * stepX) | 0;
  let y = (firstY + from * stepY) | 0;
  for (let column = from; column < to; column += 1) {
    const at = (Math.imul(y >> 16, stride) + (x >> 16)) | 0;
    const four = bytes.getUint16(at, true) | (bytes.getUint16((at + stride) | 0, true) << 16);
    const left = four & 0xff00ff;
    const mixed = ((left << 8) + Math.imul((((four >>> 8) & 0xff00ff) - left) | 0, (x >> 8) & 0xff)) | 0;
    const upper = mixed & 0xffff;
    const lower = mixed >>> 16;
    sums[column] = ((sums[column] as number) + (upper << 8) + Math.imul((lower - upper) | 0, (y >> 8) & 0xff)) | 0;
    x = (x + stepX) | 0;
    y = (y + stepY) | 0;
  }
}

/** Number of the first sample whose coordinate lies in the film or its border; Infinity where none does. */
function entryOf(first: number, step: number, end: number): number {
  if (first < 0) return step > 0 ? Math.ceil(-first / step) : Infinity;
  if (first > end) return step < 0 ? Math.ceil((end - first) / step) : Infinity;
  return 0;
}

/** Number of the first sample after those that lie there. */
function exitOf(first: number, step: number, end: number): number {
  if (step === 0) return Infinity;
  return Math.floor((step > 0 ? end - first : -first) / step) + 1;
}

/** The same for a view whose rows lie along the film's: the film's rows are mixed first, then their pixels. */
function uprightRows(film: FilmLevel, { origin, right, down }: ViewPlacement, grid: number): AddRow {
  const places = placesOf(grid);
  const bytes = new DataView(film.data.buffer, film.data.byteOffset, film.data.byteLength);
  const mixed = new Int32Array(film.width + 4);
  return (row, sums) => {
    mixed.fill(0);
    for (const below of places) addMixedRow(film, bytes, origin.y + (row + below) * down.y, mixed);
    for (const beside of places) addUprightSample(mixed, film.width, origin.x + beside * right.x, right.x, sums);
  };
}

/**
 * Adds a row that lies between two of the film, mixed of both, to `mixed`, in units of 1/256; four pixels at a time,
 * two in the halves of one number. After a row's end all are black.
 *
 * @param bytes  of the film
 */
function addMixedRow({ width, height }: FilmLevel, bytes: DataView, place: number, mixed: Int32Array): void {
  const y = firstOf(place);
  const row = y >> 16;
  if (row < 0 || row > height) return;
  const stride = width + 3;
  const share = (y >> 8) & 0xff;
  for (let column = 1, at = row * stride + 1; column <= width; column += 4, at += 4) {
    const above = bytes.getUint32(at, true);
    const below = bytes.getUint32((at + stride) | 0, true);
    const [aboveEven, aboveOdd] = [above & 0xff00ff, (above >>> 8) & 0xff00ff];
    const even = ((aboveEven << 8) + Math.imul(((below & 0xff00ff) - aboveEven) | 0, share)) | 0;
    const odd = ((aboveOdd << 8) + Math.imul((((below >>> 8) & 0xff00ff) - aboveOdd) | 0, share)) | 0;
    mixed[column] = (mixed[column] as number) + (even & 0xffff);
    mixed[column + 1] = (mixed[column + 1] as number) + (odd & 0xffff);
    mixed[column + 2] = (mixed[column + 2] as number) + (even >>> 16);
    mixed[column + 3] = (mixed[column + 3] as number) + (odd >>> 16);
  }
}

/** Adds one sample out of the mixed rows to each of a row's pixels. */
function addUprightSample(mixed: Int32Array, width: number, start: number, right: number, sums: Int32Array): void {
  const step = stepOf(right);
  const end = (width + 1) << 16;
  for (let column = 0, x = firstOf(start); column < sums.length; column += 1, x += step) {
    const inside = x < 0 ? 0 : x > end ? end : x;
    const left = mixed[inside >> 16] as number;
    const level = (left << 8) + ((mixed[(inside >> 16) + 1] as number) - left) * ((inside >> 8) & 0xff);
    sums[column] = (sums[column] as number) + level;
  }
}

/** A coordinate, the border counted; half of 1/256 more, because weights are cut off to 1/256. */
function firstOf(start: number): number {
  return Math.round((start + 1) * one) + 128;
}

function stepOf(right: number): number {
  return Math.round(right * one);
}
