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
    for (let column = 0, at = row * side; column < side; column += 1, at += 1)
      view[at] = Math.fround(sums[column] as number) * share;
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
  const pairs = new DataView(film.data.buffer, film.data.byteOffset, film.data.byteLength);
  return (row, sums) => {
    for (const below of places)
      for (const beside of places) {
        const x = origin.x + (row + below) * down.x + beside * right.x;
        const y = origin.y + (row + below) * down.y + beside * right.y;
        addTurnedSample(film, pairs, { x, y }, right, sums);
      }
  };
}

/** Adds one sample to each of a row's pixels, mixed of four pixels of the film. */
function addTurnedSample(film: FilmLevel, pairs: DataView, start: Point, right: Point, sums: Int32Array): void {
  const { width, height } = film;
  const columns = sums.length;
  if (isBeside(start.x, start.x + columns * right.x, width)) return;
  if (isBeside(start.y, start.y + columns * right.y, height)) return;
  const across = { first: firstOf(start.x), step: stepOf(right.x), end: (width + 1) << 16 };
  const down = { first: firstOf(start.y), step: stepOf(right.y), end: (height + 1) << 16 };
  const from = Math.min(columns, Math.max(entryOf(across), entryOf(down)));
  const to = Math.max(from, Math.min(columns, exitOf(across), exitOf(down)));
  const course = { across, down, sums };
  addClamped(film, course, 0, from);
  addInside(pairs, width + 3, course, from, to);
  addClamped(film, course, to, columns);
}

/** A coordinate of a row's samples: the first, how far it is to the next one, and the last in the film's border. */
type Coordinate = { readonly first: number; readonly step: number; readonly end: number };

/** Where a row's samples lie, and the sums that they are added to. */
type Course = { readonly across: Coordinate; readonly down: Coordinate; readonly sums: Int32Array };

/** Number of the first sample that lies in the film or its border. */
function entryOf({ first, step, end }: Coordinate): number {
  if (first < 0) return step > 0 ? Math.ceil(-first / step) : Infinity;
  if (first > end) return step < 0 ? Math.ceil((end - first) / step) : Infinity;
  return 0;
}

/** Number of the first sample after those that lie there. */
function exitOf({ first, step, end }: Coordinate): number {
  if (step === 0) return Infinity;
  return Math.floor((step > 0 ? end - first : -first) / step) + 1;
}

/** Adds samples that may lie beyond the film's border, which stands in for what is there. */
function addClamped({ data, width }: FilmLevel, { across, down, sums }: Course, from: number, to: number): void {
  const stride = width + 3;
  let x = across.first + from * across.step;
  let y = down.first + from * down.step;
  for (let column = from; column < to; column += 1, x += across.step, y += down.step) {
    const insideX = Math.min(across.end, Math.max(0, x));
    const insideY = Math.min(down.end, Math.max(0, y));
    const at = (insideY >> 16) * stride + (insideX >> 16);
    const weightX = (insideX >> 8) & 0xff;
    const above = data[at] as number;
    const below = data[at + stride] as number;
    const upper = (above << 8) + ((data[at + 1] as number) - above) * weightX;
    const lower = (below << 8) + ((data[at + stride + 1] as number) - below) * weightX;
    sums[column] = (sums[column] as number) + (upper << 8) + (lower - upper) * ((insideY >> 8) & 0xff);
  }
}

/**
 * The same where all of them lie inside, which is the hot loop: two neighbours are read at a time, and those above are
 * mixed together with those below in the halves of one number.
 *
 * @param pairs  the film's bytes
 */
function addInside(pairs: DataView, stride: number, { across, down, sums }: Course, from: number, to: number): void {
  const [stepX, stepY] = [across.step, down.step];
  let x = (across.first + from * stepX) | 0;
  let y = (down.first + from * stepY) | 0;
  for (let column = from; column < to; column += 1) {
    const at = (Math.imul(y >> 16, stride) + (x >> 16)) | 0;
    const weightX = (x >> 8) & 0xff;
    const four = pairs.getUint16(at, true) | (pairs.getUint16((at + stride) | 0, true) << 16);
    const left = four & 0xff00ff;
    const mixed = ((left << 8) + Math.imul((((four >>> 8) & 0xff00ff) - left) | 0, weightX)) | 0;
    const upper = mixed & 0xffff;
    const lower = mixed >>> 16;
    sums[column] = ((sums[column] as number) + (upper << 8) + Math.imul((lower - upper) | 0, (y >> 8) & 0xff)) | 0;
    x = (x + stepX) | 0;
    y = (y + stepY) | 0;
  }
}

/** The same for a view whose rows lie along the film's: the film's rows are mixed first, then their pixels. */
function uprightRows(film: FilmLevel, { origin, right, down }: ViewPlacement, grid: number): AddRow {
  const places = placesOf(grid);
  const mixed = new Int32Array(film.width + 3);
  return (row, sums) => {
    mixed.fill(0);
    for (const below of places) addMixedRow(film, origin.y + (row + below) * down.y, mixed);
    for (const beside of places) addUprightSample(mixed, film.width, origin.x + beside * right.x, right.x, sums);
  };
}

/** Adds a row that lies between two of the film, mixed of both, to `mixed`, in units of 1/256. */
function addMixedRow({ data, width, height }: FilmLevel, place: number, mixed: Int32Array): void {
  if (isBeside(place, place, height)) return;
  const stride = width + 3;
  const y = Math.min((height + 1) << 16, Math.max(0, firstOf(place)));
  const share = (y >> 8) & 0xff;
  for (let column = 0, at = (y >> 16) * stride; column < stride; column += 1, at += 1) {
    const above = data[at] as number;
    mixed[column] = (mixed[column] as number) + (above << 8) + ((data[at + stride] as number) - above) * share;
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

/** Whether everything from one coordinate to another lies on one side of the film. */
function isBeside(start: number, end: number, length: number): boolean {
  return Math.max(start, end) <= -1 || Math.min(start, end) >= length;
}

/** A coordinate, the border counted; half of 1/256 more, because weights are cut off to 1/256. */
function firstOf(start: number): number {
  return Math.round((start + 1) * one) + 128;
}

function stepOf(right: number): number {
  return Math.round(right * one);
}
