import { columnCurve, type NamedDisc } from "./column-curve.ts";
import { distancePx, interpolate, shareNearest, type Point } from "../points.ts";

/** Course of the column through a film, cranial to caudal, extended straight beyond its discs. */
export type ColumnLine = {
  readonly places: readonly Point[];
  /** Distance of each point from the first one, along the line [px]. */
  readonly alongPx: readonly number[];
};

/** Points per vertebra; the line is straight between them. */
const density = 8;
/** Straight extension of the line beyond the named vertebrae [v]. */
const beyondV = 10;

/** Line through discs in order of their different labels, n >= 3 [px]. */
export function columnLine(seen: readonly NamedDisc[], labels: number): ColumnLine {
  const named = Array.from({ length: (labels - 1) * density + 1 }, (_, step) => columnCurve(seen, step / density));
  const places = [columnCurve(seen, -beyondV), ...named, columnCurve(seen, labels + beyondV)];
  const alongPx = [0];
  for (let index = 1; index < places.length; index++)
    alongPx.push((alongPx.at(-1) as number) + distancePx(places[index - 1] as Point, places[index] as Point));
  return { places, alongPx };
}

/** Point at a distance along a line, limited to its ends [px]. */
export function placeAlong({ places, alongPx }: ColumnLine, along: number): Point {
  const next = firstBeyond(alongPx, along);
  if (next === 0 || next === places.length) return places[Math.min(next, places.length - 1)] as Point;
  const [from, to] = [alongPx[next - 1] as number, alongPx[next] as number];
  return interpolate(places[next - 1] as Point, places[next] as Point, (along - from) / (to - from));
}

/** Distance along a line of its point nearest to a given point [px]. */
export function nearestAlongPx({ places, alongPx }: ColumnLine, point: Point): number {
  let nearest = { awayPx: Infinity, along: 0 };
  for (let index = 1; index < places.length; index++) {
    const [from, to] = [places[index - 1] as Point, places[index] as Point];
    const share = shareNearest(from, to, point);
    const awayPx = distancePx(interpolate(from, to, share), point);
    const [start, end] = [alongPx[index - 1] as number, alongPx[index] as number];
    if (awayPx < nearest.awayPx) nearest = { awayPx, along: start + share * (end - start) };
  }
  return nearest.along;
}

/** Index of the first element that is greater than a value, in ascending order; the length if there is none. */
function firstBeyond(rising: readonly number[], value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
