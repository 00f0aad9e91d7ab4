import { isPeak } from "./heat-map-peak.ts";
import type { Point } from "./points.ts";

/** Heat maps of one look at the vertebral column, square, row-major, in cells of the map. */
export type ColumnMaps = {
  /** Cells along each side. */
  readonly cells: number;
  /** Probability that a disc, whichever, is centred here: Float32Array [cells, cells], 0–1. */
  readonly anyDisc: Float32Array;
  /** For each vertebra in cranial to caudal order where its cranial edge is: Float32Array [n, cells, cells], each map sums to 1. */
  readonly identity: Float32Array;
  /** Soft-argmax of each identity map [cells]: centre of the top left cell is (0, 0). */
  readonly expected: readonly Point[];
};

/** One vertebral edge of a chain. `seen` is false where it was drawn from its neighbours because no disc was found. */
export type ChainEdge = { readonly place: Point; readonly seen: boolean };

/** Edges of every vertebra of the maps, cranial to caudal, and how many of them were seen as discs. */
export type VertebralChain = { readonly edges: readonly ChainEdge[]; readonly seenCount: number };

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

type Candidate = { readonly place: Point; readonly disc: number; readonly evidence: readonly number[] };
type Axis = { readonly direction: Point; readonly spacing: number };
/**
 * Pairs of candidates of which the second lies caudal of the first, ordered by the second: those of candidate `to` are
 * `firstOf[to]` to `firstOf[to + 1]`. Plain number arrays: tens of thousands of steps a film.
 */
type Pairs = { readonly start: Int32Array; readonly distance: Float64Array; readonly sideways: Float64Array; readonly firstOf: Int32Array };
/** Believable steps from one candidate to another, one or two vertebrae (`gap`) further caudally, ordered like `Pairs`. */
type Steps = { readonly start: Int32Array; readonly gap: Uint8Array; readonly score: Float64Array; readonly firstOf: Int32Array };
type Link = { readonly candidate: number; readonly label: number };
type Path = { readonly score: number; readonly links: readonly Link[] };

/**
 * Finds the vertebral column as a chain of evenly spaced discs and names its links.
 *
 * Naming one disc is hard, seeing any disc is easy: the peaks of the any-disc map are linked by dynamic programming under a
 * prior of even spacing, and the identity maps of all vertebrae together vote for where along the chain each name falls.
 *
 * @returns null when fewer than `chainRules.leastSeen` discs form a chain
 */
export function findVertebralChain(maps: ColumnMaps): VertebralChain | null {
  const axis = expectedAxis(maps.expected);
  const candidates = discCandidates(maps);
  if (!axis || candidates.length < chainRules.leastSeen) return null;
  const pairs = caudalPairs(candidates, axis);
  let best: Path | null = null;
  for (const logFactor of chainRules.spacingTrials) {
    const path = bestPath(candidates, stepsAt(pairs, axis.spacing * Math.exp(logFactor)), maps.expected.length);
    const score = path.score - 0.5 * (logFactor / chainRules.spacingSigma) ** 2;
    if (!best || score > best.score) best = { score, links: path.links };
  }
  if (!best || best.links.length < chainRules.leastSeen) return null;
  return completeChain(best.links, candidates, maps.expected.length);
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

function discCandidates(maps: ColumnMaps): Candidate[] {
  const peaks: { x: number; y: number; disc: number }[] = [];
  const { anyDisc, cells } = maps;
  for (let y = 1; y < cells - 1; y++) {
    for (let x = 1; x < cells - 1; x++) {
      const disc = anyDisc[y * cells + x] as number;
      if (disc >= chainRules.leastDiscProbability && isPeak(anyDisc, cells, x, y)) peaks.push({ x, y, disc });
    }
  }
  peaks.sort((a, b) => b.disc - a.disc);
  return peaks.slice(0, chainRules.mostCandidates).map((peak) => ({
    place: refinedPeak(anyDisc, cells, peak.x, peak.y),
    disc: chainRules.discWeight * Math.log((peak.disc + 0.01) / chainRules.neutralDiscProbability),
    evidence: identityEvidence(maps, peak.x, peak.y),
  }));
}

/** Centre of mass of the 3 x 3 cells around a peak. */
function refinedPeak(map: Float32Array, cells: number, x: number, y: number): Point {
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

/** Log evidence that the disc at (x, y) is each of the vertebrae's cranial edge, against an even guess. */
function identityEvidence(maps: ColumnMaps, x: number, y: number): number[] {
  const { cells, identity, expected } = maps;
  const reach = chainRules.identityReachCells;
  return expected.map((_, label) => {
    let mass = 0;
    for (let row = Math.max(0, y - reach); row <= Math.min(cells - 1, y + reach); row++) {
      for (let column = Math.max(0, x - reach); column <= Math.min(cells - 1, x + reach); column++) {
        mass += identity[(label * cells + row) * cells + column] as number;
      }
    }
    return chainRules.identityWeight * Math.log((mass + chainRules.identityFloor) * expected.length);
  });
}

/** Best scoring sequence of candidates with rising labels; one label at a time may be skipped where a disc is hidden. */
function bestPath(candidates: readonly Candidate[], { start, gap, score, firstOf }: Steps, labels: number): Path {
  const count = candidates.length;
  const scores = new Float64Array(count * labels);
  const from = new Int32Array(count * labels).fill(-1);
  let end = 0;
  for (let label = 0; label < labels; label++) {
    for (let to = 0; to < count; to++) {
      const at = label * count + to;
      let best = 0;
      for (let step = firstOf[to] as number; step < (firstOf[to + 1] as number); step++) {
        if ((gap[step] as number) > label) continue;
        const before = (label - (gap[step] as number)) * count + (start[step] as number);
        const total = (scores[before] as number) + (score[step] as number);
        if (total <= best) continue;
        best = total;
        from[at] = before;
      }
      const candidate = candidates[to] as Candidate;
      scores[at] = best + candidate.disc + (candidate.evidence[label] as number);
      if ((scores[at] as number) > (scores[end] as number)) end = at;
    }
  }
  return { score: scores[end] as number, links: traceBack(from, end, count) };
}

function traceBack(from: Int32Array, end: number, count: number): Link[] {
  const links: Link[] = [];
  for (let at = end; at >= 0; at = from[at] as number) links.unshift({ candidate: at % count, label: Math.floor(at / count) });
  return links;
}

/** Pairs that a step of two vertebrae can join at one of the spacings that are tried. */
function caudalPairs(candidates: readonly Candidate[], { direction, spacing }: Axis): Pairs {
  const count = candidates.length;
  const longest = 1 + chainRules.lengthSigma * Math.sqrt(-2 * chainRules.leastStepScore);
  const farthest = 2 * spacing * Math.exp(Math.max(...chainRules.spacingTrials)) * longest;
  const start = new Int32Array(count * count);
  const distance = new Float64Array(count * count);
  const sideways = new Float64Array(count * count);
  const firstOf = new Int32Array(count + 1);
  let pair = 0;
  for (const [to, { place }] of candidates.entries()) {
    for (const [other, candidate] of candidates.entries()) {
      const dx = place.x - candidate.place.x;
      const dy = place.y - candidate.place.y;
      if (dx * direction.x + dy * direction.y <= 0) continue;
      // Not Math.hypot, which takes many times as long.
      const apart = Math.sqrt(dx * dx + dy * dy);
      if (apart > farthest) continue;
      start[pair] = other;
      distance[pair] = apart;
      sideways[pair] = dy * direction.x - dx * direction.y;
      pair += 1;
    }
    firstOf[to + 1] = pair;
  }
  return { start, distance, sideways, firstOf };
}

function stepsAt({ start, distance, sideways, firstOf }: Pairs, spacing: number): Steps {
  const count = firstOf.length - 1;
  const most = 2 * (firstOf[count] as number);
  const steps = { start: new Int32Array(most), gap: new Uint8Array(most), score: new Float64Array(most), firstOf: new Int32Array(count + 1) };
  let step = 0;
  for (let to = 0; to < count; to++) {
    for (let pair = firstOf[to] as number; pair < (firstOf[to + 1] as number); pair++) {
      for (let gap = 1; gap <= 2; gap++) {
        const length = ((distance[pair] as number) / (gap * spacing) - 1) / chainRules.lengthSigma;
        const aside = (sideways[pair] as number) / (gap * spacing) / chainRules.sidewaysSigma;
        const score = -0.5 * (length ** 2 + aside ** 2) - (gap - 1) * chainRules.skipPenalty;
        if (score <= chainRules.leastStepScore) continue;
        steps.start[step] = start[pair] as number;
        steps.gap[step] = gap;
        steps.score[step] = score;
        step += 1;
      }
    }
    steps.firstOf[to + 1] = step;
  }
  return steps;
}

/** Smooths the chain a little, fills hidden discs and goes on beyond both ends with the same curve. */
function completeChain(links: readonly Link[], candidates: readonly Candidate[], labels: number): VertebralChain {
  const known = links.map((link) => ({ label: link.label, place: (candidates[link.candidate] as Candidate).place }));
  const byLabel = new Map(known.map((edge) => [edge.label, edge.place]));
  const edges = Array.from({ length: labels }, (_, label): ChainEdge => {
    const place = byLabel.get(label);
    const curve = curvePoint(known, label);
    if (!place) return { place: curve, seen: false };
    const weight = chainRules.smoothing;
    return { place: { x: place.x + weight * (curve.x - place.x), y: place.y + weight * (curve.y - place.y) }, seen: true };
  });
  return { edges, seenCount: known.length };
}

/** Value at `label` of a local fit through the known edges: a parabola inside the chain, a line beyond its ends. */
function curvePoint(known: readonly { label: number; place: Point }[], label: number): Point {
  const first = (known[0] as { label: number }).label;
  const last = (known.at(-1) as { label: number }).label;
  const degree = label < first || label > last ? 1 : 2;
  const nearest = Math.min(last, Math.max(first, label));
  const weights = known.map((edge) => Math.exp(-0.5 * ((edge.label - nearest) / 2.5) ** 2));
  const fit = (value: (point: Point) => number): number =>
    weightedPolynomial(known.map((edge) => edge.label - label), known.map((edge) => value(edge.place)), weights, degree);
  return { x: fit((point) => point.x), y: fit((point) => point.y) };
}

/** Value at 0 of the least-squares polynomial of degree 1 or 2 through weighted samples. */
function weightedPolynomial(xs: readonly number[], ys: readonly number[], weights: readonly number[], degree: number): number {
  const size = degree + 1;
  const rows = Array.from({ length: size }, (_, row) => [
    ...Array.from({ length: size }, (_, column) => sumOver(xs, (x, index) => (weights[index] as number) * x ** (row + column))),
    sumOver(xs, (x, index) => (weights[index] as number) * (ys[index] as number) * x ** row),
  ]);
  return solveFirst(rows);
}

function sumOver(values: readonly number[], term: (value: number, index: number) => number): number {
  return values.reduce((total, value, index) => total + term(value, index), 0);
}

/** First unknown of a small symmetric positive system given as augmented rows (Gaussian elimination from the last unknown). */
function solveFirst(rows: number[][]): number {
  for (let pivot = rows.length - 1; pivot > 0; pivot--) {
    const pivotRow = rows[pivot] as number[];
    for (let row = 0; row < pivot; row++) {
      const target = rows[row] as number[];
      const factor = (target[pivot] as number) / (pivotRow[pivot] as number);
      for (let column = 0; column < target.length; column++) target[column] = (target[column] as number) - factor * (pivotRow[column] as number);
    }
  }
  const [first] = rows as [number[]];
  return (first.at(-1) as number) / (first[0] as number);
}
