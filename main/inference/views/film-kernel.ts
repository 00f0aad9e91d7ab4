import { readFileSync } from "node:fs";
import type { Point } from "../../../core/cardiac/points.ts";

/**
 * A film with a border of black, as kernel/sample-view.ts wants it: rows of `width + 3` bytes, `height + 3` rows, its
 * top left pixel at row 1, column 1.
 */
export type FilmLevel = { readonly data: Uint8Array; readonly width: number; readonly height: number };

/** Where a view's top left pixel lies, and how far it is to the next one on the right and below [film px]. */
export type ViewPlacement = { readonly origin: Point; readonly right: Point; readonly down: Point };

/**
 * For each place its first neighbour and the weights of `taps` neighbours, divisible by four, from there on; those that
 * do not exist weigh 0.
 */
export type Taps = { readonly taps: number; readonly firsts: Int32Array; readonly weights: Float32Array };

type Kernel = {
  readonly memory: WebAssembly.Memory;
  weighRows(row: number, width: number, weights: number, taps: number, mixed: number): void;
  weighColumns(row: number, firsts: number, weights: number, taps: number, count: number, out: number): void;
  halve(film: number, width: number, height: number, half: number): void;
  sampleView(
    film: number,
    width: number,
    height: number,
    view: number,
    scratch: number,
    side: number,
    grid: number,
    originX: number,
    originY: number,
    rightX: number,
    rightY: number,
    downX: number,
    downY: number,
  ): void;
};

const pageBytes = 65536;
/** The kernel reads and writes whole vectors, which may end beyond the last pixel. */
const vectorBytes = 16;

const { memory, halve, sampleView, weighRows, weighColumns } = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL("./kernel/film-views.wasm", import.meta.url))),
).exports as Kernel;

/** Bytes of a film of this size and its border, rounded up to whole vectors. */
function bytesOf({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.ceil(((width + 3) * (height + 3)) / vectorBytes) * vectorBytes;
}

/** The kernel's memory, at least this many bytes; its content is left from earlier calls. */
function workingMemory(bytes: number): Uint8Array {
  const missing = bytes + vectorBytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
  return new Uint8Array(memory.buffer);
}

/** Addresses of blocks of so many bytes, one behind the other, with room for a vector that ends beyond its block. */
function addressesOf(blocks: readonly number[]): readonly number[] {
  let end = 0;
  return blocks.map((bytes) => {
    const start = end;
    end += Math.ceil(bytes / vectorBytes + 1) * vectorBytes;
    return start;
  });
}

/**
 * An image and its halves, each at half the size of the one before, in memory that threads share.
 *
 * @param pixels  8-bit grey, row-major, width x height
 * @param least   no half has a shorter side than this [px]
 */
export function halvedFilm(pixels: Uint8Array, width: number, height: number, least: number): readonly FilmLevel[] {
  const sizes = [{ width, height }];
  for (let [w, h] = [width >> 1, height >> 1]; Math.min(w, h) >= least; [w, h] = [w >> 1, h >> 1])
    sizes.push({ width: w, height: h });
  const starts = addressesOf(sizes.map(bytesOf));
  const bytes = (starts.at(-1) as number) + bytesOf(sizes.at(-1) as FilmLevel);
  const working = workingMemory(bytes).fill(0, 0, bytes);
  for (let row = 0; row < height; row += 1)
    working.set(pixels.subarray(row * width, (row + 1) * width), (row + 1) * (width + 3) + 1);
  sizes.slice(1).forEach((_, level) => {
    const { width: w, height: h } = sizes[level] as FilmLevel;
    halve(starts[level] as number, w, h, starts[level + 1] as number);
  });
  const shared = new Uint8Array(new SharedArrayBuffer(bytes));
  shared.set(working.subarray(0, bytes));
  return sizes.map((size, level) => ({
    ...size,
    data: shared.subarray(starts[level], (starts[level] as number) + bytesOf(size)),
  }));
}

/**
 * Samples a view: bilinear, black outside the film.
 *
 * @param grid  samples along each side of one of its pixels, 1–11
 * @param view  Float32Array [side, side], row-major: filled with values 0–1
 */
export function samplePlacedView(
  { data, width, height }: FilmLevel,
  { origin, right, down }: ViewPlacement,
  grid: number,
  side: number,
  view: Float32Array,
): void {
  const scratchBytes = 4 * (width + 10);
  const [start, film, scratch] = addressesOf([4 * side * side, data.length, scratchBytes]) as [number, number, number];
  const working = workingMemory(scratch + scratchBytes);
  working.set(data, film);
  sampleView(film, width, height, start, scratch, side, grid, origin.x, origin.y, right.x, right.y, down.x, down.y);
  view.set(new Float32Array(working.buffer, start, side * side));
}

/**
 * Reduces a film by weights along and across.
 *
 * @returns Float32Array [places down, places across], row-major, 0–255 and a little beyond; valid until the kernel is
 * used again
 */
export function reducedRows({ data, width }: FilmLevel, across: Taps, down: Taps): Float32Array {
  const count = across.firsts.length;
  // Neighbours that do not exist are read all the same.
  const blocks = [
    Math.max(data.length, (down.taps + 2) * (width + 3)),
    4 * Math.max(width, across.taps),
    across.firsts.byteLength,
    across.weights.byteLength,
    down.weights.byteLength,
    4 * count * down.firsts.length,
  ];
  const [film, mixed, firsts, acrossWeights, downWeights, out] = addressesOf(blocks) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const working = workingMemory(out + (blocks.at(-1) as number));
  working.fill(0, mixed, firsts);
  working.set(data, film);
  new Int32Array(working.buffer, firsts, across.firsts.length).set(across.firsts);
  new Float32Array(working.buffer, acrossWeights, across.weights.length).set(across.weights);
  new Float32Array(working.buffer, downWeights, down.weights.length).set(down.weights);
  down.firsts.forEach((first, row) => {
    weighRows(film + (first + 1) * (width + 3) + 1, width, downWeights + 4 * row * down.taps, down.taps, mixed);
    weighColumns(mixed, firsts, acrossWeights, across.taps, count, out + 4 * row * count);
  });
  return new Float32Array(working.buffer, out, count * down.firsts.length);
}
