import type { Point } from "../points.ts";

/** A disc at the cranial edge of a vertebra, and the number of that vertebra, increasing caudally. */
export type NamedDisc = { readonly label: number; readonly place: Point };

/** Sums over the discs of weight · (distance in vertebrae)^order, alone or times a coordinate; orders 0 to 4. */
type Moments = [number, number, number, number, number];

/**
 * Position of the column at vertebra `label` by a local fit: a parabola inside the chain, a line beyond its ends.
 * `seen`: in order of their different labels, n >= 2, for a parabola n >= 3.
 */
export function columnCurve(seen: readonly NamedDisc[], label: number): Point {
  const [first, last] = [seen[0], seen.at(-1)] as [NamedDisc, NamedDisc];
  const nearest = Math.min(last.label, Math.max(first.label, label));
  const weights: Moments = [0, 0, 0, 0, 0];
  const xs: Moments = [0, 0, 0, 0, 0];
  const ys: Moments = [0, 0, 0, 0, 0];
  for (const disc of seen) {
    const weight = Math.exp(-0.5 * ((disc.label - nearest) / 2.5) ** 2);
    for (let order = 0, power = 1; order < weights.length; order++, power *= disc.label - label) {
      weights[order] = (weights[order] as number) + weight * power;
      xs[order] = (xs[order] as number) + weight * disc.place.x * power;
      ys[order] = (ys[order] as number) + weight * disc.place.y * power;
    }
  }
  const valueAtZero = nearest === label ? parabolaAtZero : lineAtZero;
  return { x: valueAtZero(weights, xs), y: valueAtZero(weights, ys) };
}

/** Value at 0 of the least-squares line, given the moments of its samples. */
function lineAtZero([w0, w1, w2]: Moments, [v0, v1]: Moments): number {
  const slope = w1 / w2;
  return (v0 - slope * v1) / (w0 - slope * w1);
}

/** Value at 0 of the least-squares parabola, by Gaussian elimination from the last unknown. */
function parabolaAtZero([w0, w1, w2, w3, w4]: Moments, [v0, v1, v2]: Moments): number {
  const upper = w2 / w4;
  const lower = w3 / w4;
  const slope = (w1 - upper * w3) / (w2 - lower * w3);
  return (v0 - upper * v2 - slope * (v1 - lower * v2)) / (w0 - upper * w2 - slope * (w1 - lower * w2));
}
