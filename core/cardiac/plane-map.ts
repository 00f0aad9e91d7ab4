import type { Point } from "./points.ts";

/**
 * A perspective transform: (x, y) maps to ((a x + b y + c) / w, (d x + e y + f) / w) with w = g x + h y + 1, given as
 * the eight numbers a to h.
 */
export type PlaneMap = readonly [number, number, number, number, number, number, number, number];

export function mapped([a, b, c, d, e, f, g, h]: PlaneMap, { x, y }: Point): Point {
  const w = g * x + h * y + 1;
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w };
}

/** The inverse map; null if singular. */
export function inverted([a, b, c, d, e, f, g, h]: PlaneMap): PlaneMap | null {
  // The adjugate of the 3 x 3 matrix, scaled so that its last entry is 1.
  const last = a * e - b * d;
  if (!(Math.abs(last) > 1e-9)) return null;
  const adjugate = [
    e - f * h,
    c * h - b,
    b * f - c * e,
    f * g - d,
    a - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
  ];
  return adjugate.map((value) => value / last) as unknown as PlaneMap;
}

/** Fits an affine map from one set of points to another by least squares; null for collinear points. */
export function affineBetween(from: readonly Point[], to: readonly Point[]): PlaneMap | null {
  const normal = new Float64Array(9);
  const [right, down] = [new Float64Array(3), new Float64Array(3)];
  from.forEach(({ x, y }, index) => {
    const target = to[index];
    if (!target) return;
    const row = [x, y, 1];
    row.forEach((one, i) => {
      row.forEach((other, j) => (normal[3 * i + j] = (normal[3 * i + j] ?? 0) + one * other));
      right[i] = (right[i] ?? 0) + one * target.x;
      down[i] = (down[i] ?? 0) + one * target.y;
    });
  });
  const [across, along] = [solved(normal, right), solved(normal, down)];
  return across && along ? ([...across, ...along, 0, 0] as unknown as PlaneMap) : null;
}

/** Solves a small linear system, row-major, by Gauss–Jordan elimination with partial pivoting; null if singular. */
export function solved(matrix: Float64Array, right: Float64Array): Float64Array | null {
  const n = right.length;
  const m = Float64Array.from(matrix);
  const answer = Float64Array.from(right);
  const at = (row: number, column: number): number => m[row * n + column] ?? 0;
  const swap = (list: Float64Array, i: number, j: number): void => {
    [list[i], list[j]] = [list[j] ?? 0, list[i] ?? 0];
  };
  for (let pivot = 0; pivot < n; pivot += 1) {
    let best = pivot;
    for (let row = pivot + 1; row < n; row += 1) if (Math.abs(at(row, pivot)) > Math.abs(at(best, pivot))) best = row;
    if (!(Math.abs(at(best, pivot)) > 1e-12)) return null;
    for (let column = 0; column < n; column += 1) swap(m, pivot * n + column, best * n + column);
    swap(answer, pivot, best);
    for (let row = 0; row < n; row += 1) {
      const factor = row === pivot ? 0 : at(row, pivot) / at(pivot, pivot);
      for (let column = pivot; column < n; column += 1)
        m[row * n + column] = at(row, column) - factor * at(pivot, column);
      answer[row] = (answer[row] ?? 0) - factor * (answer[pivot] ?? 0);
    }
  }
  return answer.map((value, row) => value / at(row, row));
}
