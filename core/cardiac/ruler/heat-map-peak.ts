/** Whether a cell of a row-major map is a local maximum. Of equal neighbours the first in that order is the peak. */
export function isPeak(map: Float32Array, side: number, column: number, row: number): boolean {
  const at = row * side + column;
  const value = map[at] as number;
  for (let v = Math.max(0, row - 1); v <= Math.min(side - 1, row + 1); v++) {
    for (let u = Math.max(0, column - 1); u <= Math.min(side - 1, column + 1); u++) {
      const neighbour = map[v * side + u] as number;
      if (neighbour > value || (neighbour === value && v * side + u < at)) return false;
    }
  }
  return true;
}
