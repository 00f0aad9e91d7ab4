import type { GreyPixels } from "./decode-image.ts";

/** Maximum difference of levels in a row or column of a margin, caused by JPEG at nearby edges. */
const maxDifference = 8;
const step = 3;

/**
 * Removes a margin of a single level, such as that of a film exported on a page; null if nothing would remain.
 *
 * @param maxShare  maximum size of the rest, as a fraction of the longest side
 */
export function withoutPlainMargin({ grey, widthPx, heightPx }: GreyPixels, maxShare: number): GreyPixels | null {
  const isPlainRow = (row: number) => isPlain(grey, row * widthPx, 1, widthPx);
  const [top, bottom] = inside(heightPx, isPlainRow);
  if (bottom <= top) return null;
  const isPlainColumn = (column: number) => isPlain(grey, top * widthPx + column, widthPx, bottom - top);
  const [left, right] = inside(widthPx, isPlainColumn);
  const [width, height] = [right - left, bottom - top];
  if (width <= 0 || Math.max(width, height) > maxShare * Math.max(widthPx, heightPx)) return null;
  const rest = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = (row + top) * widthPx + left;
    rest.set(grey.subarray(start, start + width), row * width);
  }
  return { grey: rest, widthPx: width, heightPx: height };
}

function inside(count: number, isPlainLine: (line: number) => boolean): [first: number, end: number] {
  let [first, end] = [0, count];
  while (first < end && isPlainLine(first)) first += 1;
  while (end > first && isPlainLine(end - 1)) end -= 1;
  return [first, end];
}

function isPlain(grey: Uint8Array, start: number, stride: number, count: number): boolean {
  let [least, most] = [255, 0];
  for (let at = 0; at < count; at += step) {
    const level = grey[start + at * stride] as number;
    if (level < least) least = level;
    if (level > most) most = level;
    if (most - least > maxDifference) return false;
  }
  return true;
}
