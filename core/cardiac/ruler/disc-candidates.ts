import { chainRules } from "./chain-rules.ts";
import { isPeak } from "./heat-map-peak.ts";
import type { Point } from "../points.ts";

/** Heat maps of the vertebral column from one inference, square, row-major, in cells of the map. */
export type ColumnMaps = {
  readonly cells: number;
  /** Probability of any disc centre in the cell: Float32Array [cells, cells], 0–1. */
  readonly anyDisc: Float32Array;
  /**
   * For each vertebra, cranial to caudal, the distribution of its cranial edge: Float32Array [n, cells, cells], each
   * map sums to 1.
   */
  readonly identity: Float32Array;
  /** Soft-argmax of each identity map [cells]; (0, 0) is the centre of the top left cell. */
  readonly expected: readonly Point[];
};

/** A local maximum of the any-disc map [cells], and its probability. */
export type DiscPeak = { readonly x: number; readonly y: number; readonly probability: number };

/**
 * Discs that the chain may link, with the log evidence for each as a disc and as each vertebra: Float64Array [n,
 * candidates].
 */
export type Candidates = {
  readonly places: readonly Point[];
  readonly asDisc: Float64Array;
  readonly asVertebra: Float64Array;
};

/** Most probable first. The identity maps are read only within `chainRules.identityReachCells` of these. */
export function discPeaks(anyDisc: Float32Array, cells: number): readonly DiscPeak[] {
  const peaks: DiscPeak[] = [];
  for (let y = 1; y < cells - 1; y++) {
    for (let x = 1; x < cells - 1; x++) {
      const probability = anyDisc[y * cells + x] as number;
      if (probability >= chainRules.leastDiscProbability && isPeak(anyDisc, cells, x, y))
        peaks.push({ x, y, probability });
    }
  }
  return peaks.sort((a, b) => b.probability - a.probability).slice(0, chainRules.mostCandidates);
}

export function candidatesAt(peaks: readonly DiscPeak[], maps: ColumnMaps): Candidates {
  const { anyDisc, cells, identity, expected } = maps;
  const asVertebra = new Float64Array(expected.length * peaks.length);
  for (let label = 0, at = 0; label < expected.length; label++) {
    const map = identity.subarray(label * cells * cells, (label + 1) * cells * cells);
    for (const peak of peaks) {
      // Relative to a uniform distribution over the vertebrae.
      const ratio = (massNear(map, cells, peak) + chainRules.identityFloor) * expected.length;
      asVertebra[at++] = chainRules.identityWeight * Math.log(ratio);
    }
  }
  return {
    places: peaks.map((peak) => refinedPeak(anyDisc, cells, peak)),
    asDisc: Float64Array.from(
      peaks,
      ({ probability }) => chainRules.discWeight * Math.log((probability + 0.01) / chainRules.neutralDiscProbability),
    ),
    asVertebra,
  };
}

/** Centre of mass of the 3 x 3 cells around a peak. */
function refinedPeak(map: Float32Array, cells: number, { x, y }: DiscPeak): Point {
  let mass = 0;
  let sumX = 0;
  let sumY = 0;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const value = map[(y + dy) * cells + x + dx] as number;
      mass += value;
      sumX += value * dx;
      sumY += value * dy;
    }
  }
  return { x: x + sumX / mass, y: y + sumY / mass };
}

function massNear(map: Float32Array, cells: number, { x, y }: DiscPeak): number {
  const reach = chainRules.identityReachCells;
  const [left, right] = [Math.max(0, x - reach), Math.min(cells - 1, x + reach)];
  const bottom = Math.min(cells - 1, y + reach);
  let mass = 0;
  for (let row = Math.max(0, y - reach); row <= bottom; row++) {
    for (let column = left; column <= right; column++) mass += map[row * cells + column] as number;
  }
  return mass;
}
