import { isPeak } from "../../../core/cardiac/ruler/heat-map-peak.ts";
import type { Point } from "../../../core/cardiac/points.ts";

/** Candidate for a corner [cells, origin at the first cell's centre], with the value of the map there, 0–1. */
export type Candidate = { readonly at: Point; readonly value: number };

export type SquareMap = { readonly values: Float32Array; readonly side: number };

/** Local maxima of a map from `least` on, highest first, each moved to the weighted mean within `radius` [cells]. */
export function candidatesIn(map: SquareMap, radius: number, least: number, count: number): readonly Candidate[] {
  const peaks: { readonly index: number; readonly value: number }[] = [];
  map.values.forEach((value, index) => {
    if (value >= least && isPeak(map.values, map.side, index % map.side, Math.floor(index / map.side)))
      peaks.push({ index, value });
  });
  peaks.sort((a, b) => b.value - a.value);
  return peaks.slice(0, count).map(({ index, value }) => ({ at: meanAround(map, index, radius), value }));
}

function meanAround({ values, side }: SquareMap, index: number, radius: number): Point {
  const [column, row] = [index % side, Math.floor(index / side)];
  let [weight, x, y] = [0, 0, 0];
  for (let v = Math.max(0, row - radius); v <= Math.min(side - 1, row + radius); v += 1) {
    for (let u = Math.max(0, column - radius); u <= Math.min(side - 1, column + radius); u += 1) {
      const value = values[v * side + u] ?? 0;
      [weight, x, y] = [weight + value, x + value * u, y + value * v];
    }
  }
  return weight > 0 ? { x: x / weight, y: y / weight } : { x: column, y: row };
}
