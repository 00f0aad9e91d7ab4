import type { FilmLevel, FilmLevels } from "./film-levels.ts";

/**
 * For each output position its first neighbour and the weights of `taps` neighbours from there; missing ones have
 * weight 0.
 */
type Taps = { readonly taps: number; readonly firsts: Int32Array; readonly weights: Float32Array };

const lobes = 3;

/**
 * Draws a grey film, centred, into a square, row-major, 0–1; black outside the film. Reduces it with the filter that
 * `letterboxColour` uses for colour pictures (Lanczos 3 on the halved picture), so that the result does not depend on
 * the file's format.
 */
export function letterboxFilm(levels: FilmLevels, side: number, plane: Float32Array): void {
  const [film] = levels;
  const scale = side / Math.max(film.width, film.height);
  const width = Math.min(side, Math.max(1, Math.round(film.width * scale)));
  const height = Math.min(side, Math.max(1, Math.round(film.height * scale)));
  const half = levels[1];
  const level = half && half.width >= 2 * width && half.height >= 2 * height ? half : film;
  const rows = reducedRows(level, tapsOf(level.width, width), tapsOf(level.height, height));
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) / 2)];
  plane.fill(0);
  for (let row = 0; row < height; row += 1) {
    const from = rows.subarray(row * width, (row + 1) * width);
    const to = (row + top) * side + left;
    for (let column = 0; column < width; column += 1)
      plane[to + column] = Math.min(255, Math.max(0, Math.round(from[column] as number))) / 255;
  }
}

/** Weighted sums in both directions, row-major, 0–255 with a little overshoot. */
function reducedRows({ data, width }: FilmLevel, across: Taps, down: Taps): Float32Array {
  const count = across.firsts.length;
  const reduced = new Float32Array(count * down.firsts.length);
  const mixed = new Float32Array(Math.max(width, across.taps));
  down.firsts.forEach((first, row) => {
    mixed.fill(0);
    for (let tap = 0; tap < down.taps; tap += 1) {
      const weight = down.weights[row * down.taps + tap] as number;
      if (weight !== 0) addWeighed(data.subarray((first + tap + 1) * (width + 3) + 1), weight, width, mixed);
    }
    for (let place = 0; place < count; place += 1) reduced[row * count + place] = weighed(mixed, across, place);
  });
  return reduced;
}

function addWeighed(pixels: Uint8Array, weight: number, width: number, sums: Float32Array): void {
  for (let column = 0; column < width; column += 1)
    sums[column] = (sums[column] as number) + (pixels[column] as number) * weight;
}

function weighed(mixed: Float32Array, { taps, firsts, weights }: Taps, place: number): number {
  const first = firsts[place] as number;
  let sum = 0;
  for (let tap = 0; tap < taps; tap += 1)
    sum += (mixed[first + tap] as number) * (weights[place * taps + tap] as number);
  return sum;
}

/** Neighbours and weights of each of `count` output positions; beyond an end, its last pixel is repeated. */
function tapsOf(length: number, count: number): Taps {
  const scale = length / count;
  const stretch = Math.max(1, scale);
  const taps = Math.ceil(2 * lobes * stretch + 1);
  const firsts = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  for (let place = 0; place < count; place += 1) {
    const centre = (place + 0.5) * scale - 0.5;
    const wanted = Math.ceil(centre - lobes * stretch);
    const first = Math.max(0, Math.min(wanted, length - taps));
    firsts[place] = first;
    const own = weights.subarray(place * taps, (place + 1) * taps);
    for (let at = wanted; at <= centre + lobes * stretch; at += 1) {
      const tap = Math.min(length - 1, Math.max(0, at)) - first;
      own[tap] = (own[tap] as number) + lanczos((at - centre) / stretch);
    }
    const sum = own.reduce((total, weight) => total + weight, 0);
    own.forEach((weight, tap) => (own[tap] = weight / sum));
  }
  return { taps, firsts, weights };
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= lobes) return 0;
  const angle = Math.PI * x;
  return (lobes * Math.sin(angle) * Math.sin(angle / lobes)) / angle ** 2;
}
