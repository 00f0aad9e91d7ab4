import { columnCurve, type NamedDisc } from "./column-curve.ts";
import { isPeak } from "./heat-map-peak.ts";
import type { Point } from "../points.ts";

/** Heat maps of one look at the vertebral column, square, row-major, in cells of the map. */
export type ColumnMaps = {
  /** Cells along each side. */
  readonly cells: number;
  /** Probability that a disc, whichever, is centred here: Float32Array [cells, cells], 0–1. */
  readonly anyDisc: Float32Array;
  /**
   * For each vertebra in cranial to caudal order where its cranial edge is: Float32Array [n, cells, cells], each map
   * sums to 1.
   */
  readonly identity: Float32Array;
  /** Soft-argmax of each identity map [cells]: centre of the top left cell is (0, 0). */
  readonly expected: readonly Point[];
};

/** One vertebral edge of a chain. `seen` is false where it was drawn from its neighbours because no disc was found. */
type ChainEdge = { readonly place: Point; readonly seen: boolean };

/** Edges of every vertebra of the maps, cranial to caudal, and how many of them were seen as discs. */
export type VertebralChain = {
  readonly edges: readonly ChainEdge[];
  readonly seenCount: number;
  /**
   * How much the identity maps speak for names that lie one vertebra further cranially or caudally than the chain's:
   * mean log of the evidence for a disc against that for its name in the chain; below 0 while the chain's is the better.
   */
  readonly shiftEvidence: { readonly cranial: number; readonly caudal: number };
};

/** Constants of the chain search, found on phantoms and on real films. */
export const chainRules = {
  leastDiscProbability: 0.05,
  mostCandidates: 60,
  /** A candidate weighs by the log of its disc probability against this one. */
  neutralDiscProbability: 0.15,
  discWeight: 1,
  identityWeight: 0.6,
  identityFloor: 0.02,
  identityReachCells: 2,
  /** Relative spread of neighbouring vertebral lengths. */
  lengthSigma: 0.13,
  /** Sideways step from disc to disc [vertebrae]. */
  sidewaysSigma: 0.4,
  skipPenalty: 1.5,
  /** Worse steps from disc to disc are not considered. */
  leastStepScore: -12,
  spacingSigma: 0.15,
  spacingTrials: [-0.3, -0.24, -0.18, -0.12, -0.06, 0, 0.06, 0.12, 0.18, 0.24, 0.3],
  leastSeen: 4,
  /** Relative weight of the smooth curve through all edges against the disc itself, 0–1. */
  smoothing: 0.5,
} as const;

/** A local maximum of the any-disc map [cells], and its probability. */
export type DiscPeak = { readonly x: number; readonly y: number; readonly probability: number };

type Axis = { readonly direction: Point; readonly spacing: number };
/**
 * Discs that the chain may link, with the log evidence for each as a disc, and as each vertebra's: Float64Array [n,
 * candidates].
 */
type Candidates = {
  readonly places: readonly Point[];
  readonly asDisc: Float64Array;
  readonly asVertebra: Float64Array;
};
/**
 * Pairs of candidates of which the second lies caudal of the first, ordered by the second: those of candidate `to` are
 * `firstOf[to]` to `firstOf[to + 1]`.
 */
type Pairs = {
  readonly start: Int32Array;
  readonly distance: Float64Array;
  readonly sideways: Float64Array;
  readonly firstOf: Int32Array;
};
/**
 * Believable steps from one candidate to another, one or two vertebrae further caudally, ordered like `Pairs`; `back`
 * leads to the start in `Chains`.
 */
type Steps = { readonly back: Int32Array; readonly score: Float64Array; readonly firstOf: Int32Array };
/**
 * The best chain that ends in each vertebra at each candidate, [n, candidates]: its score, and where in here its last
 * step came from, -1 for none.
 */
type Chains = { readonly score: Float64Array; readonly from: Int32Array };

/**
 * Finds the vertebral column as a chain of evenly spaced discs and names its links.
 *
 * Naming one disc is hard, seeing any disc is easy: the peaks of the any-disc map are linked by dynamic programming
 * under a prior of even spacing, and the identity maps of all vertebrae together vote for where along the chain each
 * name falls.
 *
 * @returns null when fewer than `chainRules.leastSeen` discs form a chain
 */
export function findVertebralChain(maps: ColumnMaps): VertebralChain | null {
  const labels = maps.expected.length;
  const axis = expectedAxis(maps.expected);
  const peaks = discPeaks(maps.anyDisc, maps.cells);
  if (!axis || peaks.length < chainRules.leastSeen) return null;
  const candidates = candidatesAt(peaks, maps);
  const pairs = caudalPairs(candidates.places, axis);
  // Every spacing writes over the one before.
  const steps = roomForSteps(pairs);
  const chains = { score: new Float64Array(labels * peaks.length), from: new Int32Array(labels * peaks.length) };
  let best: { score: number; discs: readonly NamedDisc[]; links: readonly number[] } | null = null;
  for (const logFactor of chainRules.spacingTrials) {
    takeSteps(steps, pairs, axis.spacing * Math.exp(logFactor));
    const end = growChains(chains, candidates, steps);
    const score = (chains.score[end] as number) - 0.5 * (logFactor / chainRules.spacingSigma) ** 2;
    if (!best || score > best.score) {
      const links = traceBack(chains, end);
      best = { score, links, discs: links.map((at) => discAt(at, candidates.places)) };
    }
  }
  if (!best || best.discs.length < chainRules.leastSeen) return null;
  const { links, discs } = best;
  const count = peaks.length;
  // Were T4 one vertebra further cranially, every disc would be named one further caudally.
  const shiftEvidence = {
    cranial: evidenceFor(links, candidates.asVertebra, count),
    caudal: evidenceFor(links, candidates.asVertebra, -count),
  };
  return { ...completeChain(discs, labels), shiftEvidence };
}

/** Mean log evidence for the names `step` places on in `asVertebra` against those of the chain. */
function evidenceFor(links: readonly number[], asVertebra: Float64Array, step: number): number {
  const moved = links.filter((at) => at + step >= 0 && at + step < asVertebra.length);
  const sum = moved.reduce((total, at) => total + (asVertebra[at + step] as number) - (asVertebra[at] as number), 0);
  return moved.length === 0 ? -Infinity : sum / moved.length / chainRules.identityWeight;
}

/**
 * Where discs may be, the most probable first. The identity maps are read near these only, up to
 * `chainRules.identityReachCells` away.
 */
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

/** Direction (cranial to caudal) and spacing of the column as the identity maps expect it. */
function expectedAxis(expected: readonly Point[]): Axis | null {
  const stride = 4;
  const steps = expected.slice(stride).map((point, index) => {
    const start = expected[index] as Point;
    return { x: (point.x - start.x) / stride, y: (point.y - start.y) / stride };
  });
  if (steps.length === 0) return null;
  const x = middle(steps.map((step) => step.x));
  const y = middle(steps.map((step) => step.y));
  const spacing = Math.hypot(x, y);
  return spacing > 0.5 ? { direction: { x: x / spacing, y: y / spacing }, spacing } : null;
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

function candidatesAt(peaks: readonly DiscPeak[], maps: ColumnMaps): Candidates {
  const { anyDisc, cells, identity, expected } = maps;
  const asVertebra = new Float64Array(expected.length * peaks.length);
  for (let label = 0, at = 0; label < expected.length; label++) {
    const map = identity.subarray(label * cells * cells, (label + 1) * cells * cells);
    for (const peak of peaks) {
      // Against an even guess.
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

/** Probability that the vertebra of this map is at a peak or near it. */
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

/** Pairs that a step of two vertebrae can join at one of the spacings that are tried. */
function caudalPairs(places: readonly Point[], { direction, spacing }: Axis): Pairs {
  const count = places.length;
  const longest = 1 + chainRules.lengthSigma * Math.sqrt(-2 * chainRules.leastStepScore);
  const farthest = 2 * spacing * Math.exp(Math.max(...chainRules.spacingTrials)) * longest;
  const most = count * count;
  const pairs = {
    start: new Int32Array(most),
    distance: new Float64Array(most),
    sideways: new Float64Array(most),
    firstOf: new Int32Array(count + 1),
  };
  let pair = 0;
  places.forEach((to, index) => {
    places.forEach((start, startIndex) => {
      const dx = to.x - start.x;
      const dy = to.y - start.y;
      // Not Math.hypot, which takes many times as long.
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (dx * direction.x + dy * direction.y <= 0 || distance > farthest) return;
      pairs.start[pair] = startIndex;
      pairs.distance[pair] = distance;
      pairs.sideways[pair] = dy * direction.x - dx * direction.y;
      pair += 1;
    });
    pairs.firstOf[index + 1] = pair;
  });
  return pairs;
}

function roomForSteps({ firstOf }: Pairs): Steps {
  const most = 2 * (firstOf.at(-1) as number);
  return { back: new Int32Array(most), score: new Float64Array(most), firstOf: new Int32Array(firstOf.length) };
}

/** Fills `steps` with those that are believable at a spacing. */
function takeSteps(steps: Steps, { start, distance, sideways, firstOf }: Pairs, spacing: number): void {
  const count = firstOf.length - 1;
  let step = 0;
  for (let to = 0; to < count; to++) {
    for (let pair = firstOf[to] as number; pair < (firstOf[to + 1] as number); pair++) {
      for (let gap = 1; gap <= 2; gap++) {
        const length = ((distance[pair] as number) / (gap * spacing) - 1) / chainRules.lengthSigma;
        const aside = (sideways[pair] as number) / (gap * spacing) / chainRules.sidewaysSigma;
        const score = -0.5 * (length ** 2 + aside ** 2) - (gap - 1) * chainRules.skipPenalty;
        if (score <= chainRules.leastStepScore) continue;
        steps.back[step] = gap * count + to - (start[pair] as number);
        steps.score[step] = score;
        step += 1;
      }
    }
    steps.firstOf[to + 1] = step;
  }
}

/**
 * Fills `chains` with the best scoring sequences of candidates with rising labels; one label at a time may be skipped
 * where a disc is hidden.
 *
 * @returns the end of the best of them
 */
function growChains({ score, from }: Chains, { asDisc, asVertebra }: Candidates, steps: Steps): number {
  const count = asDisc.length;
  let end = 0;
  for (let at = 0; at < score.length; at++) {
    const to = at % count;
    let best = 0;
    let before = -1;
    for (let step = steps.firstOf[to] as number; step < (steps.firstOf[to + 1] as number); step++) {
      const start = at - (steps.back[step] as number);
      if (start < 0) continue;
      const total = (score[start] as number) + (steps.score[step] as number);
      if (total <= best) continue;
      best = total;
      before = start;
    }
    from[at] = before;
    score[at] = best + (asDisc[to] as number) + (asVertebra[at] as number);
    if ((score[at] as number) > (score[end] as number)) end = at;
  }
  return end;
}

/** Places in `Chains` of the chain that ends here, cranial to caudal. */
function traceBack({ from }: Chains, end: number): number[] {
  const links: number[] = [];
  for (let at = end; at >= 0; at = from[at] as number) links.push(at);
  return links.reverse();
}

function discAt(at: number, places: readonly Point[]): NamedDisc {
  return { label: Math.floor(at / places.length), place: places[at % places.length] as Point };
}

/** Smooths the chain a little, fills hidden discs and goes on beyond both ends with the same curve. */
function completeChain(seen: readonly NamedDisc[], labels: number): Omit<VertebralChain, "shiftEvidence"> {
  const places = new Map(seen.map(({ label, place }) => [label, place]));
  const edges = Array.from({ length: labels }, (_, label): ChainEdge => {
    const place = places.get(label);
    const curve = columnCurve(seen, label);
    if (!place) return { place: curve, seen: false };
    const weight = chainRules.smoothing;
    return {
      place: { x: place.x + weight * (curve.x - place.x), y: place.y + weight * (curve.y - place.y) },
      seen: true,
    };
  });
  return { edges, seenCount: seen.length };
}
