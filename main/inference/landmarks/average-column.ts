import type { Point } from "../../../core/cardiac/points.ts";
import { chainRules } from "../../../core/cardiac/ruler/chain-rules.ts";
import { discPeaks, type ColumnMaps } from "../../../core/cardiac/ruler/disc-candidates.ts";
import { cellToNetwork, networkToCell, toImage, toNetwork, type NetworkFrame } from "../views/landmark-frames.ts";

export type ColumnView = {
  readonly frame: NetworkFrame;
  readonly maps: ColumnMaps;
  /** Logits of the heart's silhouette: Float32Array [cells, cells], row-major; null if the pack has no such map. */
  readonly silhouette: Float32Array | null;
};

/**
 * Averages the members' maps, resampled to the first member's view. Identity maps are averaged near discs only, since
 * nothing else of them is read.
 */
export function averageColumn(columns: readonly ColumnView[], side: number): ColumnView {
  const [{ maps: first, frame: reference }] = columns as [ColumnView];
  const { cells } = first;
  const stride = side / cells;
  const anyDisc = new Float32Array(first.anyDisc.length);
  const identity = new Float32Array(first.identity.length);
  const silhouette = columns.every((column) => column.silhouette) ? new Float32Array(anyDisc.length) : null;
  const sums = first.expected.map(() => ({ x: 0, y: 0 }));
  const between = (from: NetworkFrame, to: NetworkFrame) => (cell: Point) =>
    networkToCell(toNetwork(to, toImage(from, cellToNetwork(cell, stride))), stride);
  const everywhere = new Uint8Array(anyDisc.length).fill(1);
  for (const { maps, frame, silhouette: own } of columns) {
    addResampled(maps.anyDisc, anyDisc, cells, between(reference, frame), everywhere, 1 / columns.length);
    if (own && silhouette)
      addResampled(own, silhouette, cells, between(reference, frame), everywhere, 1 / columns.length);
  }
  const nearDiscs = cellsNearDiscs(anyDisc, cells);
  for (const { maps, frame } of columns) {
    addResampled(maps.identity, identity, cells, between(reference, frame), nearDiscs, 1 / columns.length);
    const toReference = between(frame, reference);
    maps.expected.forEach((place, label) => {
      const moved = toReference(place);
      const sum = sums[label] as { x: number; y: number };
      sum.x += moved.x / columns.length;
      sum.y += moved.y / columns.length;
    });
  }
  return { frame: reference, maps: { cells, anyDisc, identity, expected: sums }, silhouette };
}

function cellsNearDiscs(anyDisc: Float32Array, cells: number): Uint8Array {
  const reach = chainRules.identityReachCells;
  const near = new Uint8Array(anyDisc.length);
  for (const { x, y } of discPeaks(anyDisc, cells)) {
    for (let row = Math.max(0, y - reach); row <= Math.min(cells - 1, y + reach); row++) {
      near.fill(1, row * cells + Math.max(0, x - reach), row * cells + Math.min(cells, x + reach + 1));
    }
  }
  return near;
}

/**
 * Adds `share` of each map in `source` (n stacked squares of `cells` x `cells`) to `target` in the cells where `wanted`
 * is 1, with bilinear interpolation. `across`: affine map from target cells to source cells.
 */
function addResampled(
  source: Float32Array,
  target: Float32Array,
  cells: number,
  across: (cell: Point) => Point,
  wanted: Uint8Array,
  share: number,
): void {
  const origin = across({ x: 0, y: 0 });
  const right = across({ x: 1, y: 0 });
  const down = across({ x: 0, y: 1 });
  const [rightX, rightY, downX, downY] = [right.x - origin.x, right.y - origin.y, down.x - origin.x, down.y - origin.y];
  for (let y = 0, cell = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++, cell++) {
      if (wanted[cell] === 0) continue;
      const atX = origin.x + x * rightX + y * downX;
      const atY = origin.y + x * rightY + y * downY;
      const left = Math.floor(atX);
      const top = Math.floor(atY);
      if (left < 0 || top < 0 || left >= cells - 1 || top >= cells - 1) continue;
      const u = atX - left;
      const v = atY - top;
      for (let map = 0; map < source.length; map += cells * cells) {
        const at = map + top * cells + left;
        const upper = (source[at] as number) * (1 - u) + (source[at + 1] as number) * u;
        const lower = (source[at + cells] as number) * (1 - u) + (source[at + cells + 1] as number) * u;
        target[map + cell] = (target[map + cell] as number) + share * (upper * (1 - v) + lower * v);
      }
    }
  }
}
