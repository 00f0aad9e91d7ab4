/** A film with a black border: rows of `width + 3` bytes, `height + 3` rows, its top left pixel at row 1, column 1. */
export type FilmLevel = { readonly data: Uint8Array; readonly width: number; readonly height: number };

/** Levels of one film, each at half the size of the previous one. */
export type FilmLevels = readonly [FilmLevel, ...FilmLevel[]];

/** Creates levels, from row-major 8-bit grey, in memory shared by threads. `least`: minimum side of a level [px]. */
export function halvedFilm(pixels: Uint8Array, width: number, height: number, least: number): FilmLevels {
  const film = emptyLevel(width, height);
  for (let row = 0; row < height; row += 1)
    film.data.set(pixels.subarray(row * width, (row + 1) * width), (row + 1) * (width + 3) + 1);
  const levels: [FilmLevel, ...FilmLevel[]] = [film];
  for (let level = film; Math.min(level.width >> 1, level.height >> 1) >= least; levels.push(level))
    level = halfOf(level);
  return levels;
}

function emptyLevel(width: number, height: number): FilmLevel {
  return { data: new Uint8Array(new SharedArrayBuffer((width + 3) * (height + 3))), width, height };
}

/** Rounded means of 2 x 2 pixels; an odd last row or column is dropped. */
function halfOf(film: FilmLevel): FilmLevel {
  const half = emptyLevel(film.width >> 1, film.height >> 1);
  const stride = film.width + 3;
  const from = film.data;
  for (let row = 0; row < half.height; row += 1) {
    let at = (2 * row + 1) * stride + 1;
    let to = (row + 1) * (half.width + 3) + 1;
    for (const end = to + half.width; to < end; to += 1, at += 2)
      half.data[to] =
        ((from[at] as number) +
          (from[at + 1] as number) +
          (from[at + stride] as number) +
          (from[at + stride + 1] as number) +
          2) >>
        2;
  }
  return half;
}
