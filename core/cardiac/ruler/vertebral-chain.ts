import { chainRules } from "./chain-rules.ts";
import { bestChain, type Axis } from "./chain-search.ts";
import { columnCurve, type NamedDisc } from "./column-curve.ts";
import { candidatesAt, discPeaks, type ColumnMaps } from "./disc-candidates.ts";
import type { ShiftEvidence } from "./doubtful-name.ts";
import { interpolate, type Point } from "../points.ts";

/** `seen` is false if no disc was found and the edge was interpolated from its neighbours. */
export type ChainEdge = { readonly place: Point; readonly seen: boolean };

/** Chain with an edge for every vertebra of the maps, cranial to caudal. */
export type VertebralChain = {
  readonly edges: readonly ChainEdge[];
  /** Sum of the log evidence of all detected discs, as discs and as the vertebrae assigned to them. */
  readonly evidence: number;
  readonly shiftEvidence: ShiftEvidence;
};

/**
 * Finds the vertebral column as a chain of evenly spaced discs and names its links.
 *
 * Detecting discs is easy, naming a single one is hard. The peaks of the any-disc map are therefore linked by dynamic
 * programming under a prior of even spacing, and the identity maps of all vertebrae together determine the names along
 * the chain.
 *
 * @returns  null if fewer than `chainRules.leastSeen` discs form a chain
 */
export function findVertebralChain(maps: ColumnMaps): VertebralChain | null {
  const labels = maps.expected.length;
  const axis = expectedAxis(maps.expected);
  const peaks = discPeaks(maps.anyDisc, maps.cells);
  if (!axis || peaks.length < chainRules.leastSeen) return null;
  const candidates = candidatesAt(peaks, maps);
  const links = bestChain(candidates, axis, labels);
  if (links.length < chainRules.leastSeen) return null;
  const discs = links.map((at) => discAt(at, candidates.places));
  const count = peaks.length;
  const { asDisc, asVertebra } = candidates;
  const evidence = links.reduce((sum, at) => sum + (asDisc[at % count] as number) + (asVertebra[at] as number), 0);
  // If T4 is one vertebra farther cranially, the name of every disc shifts by one in caudal direction.
  const shiftEvidence = {
    cranial: evidenceFor(links, asVertebra, count),
    caudal: evidenceFor(links, asVertebra, -count),
  };
  return { edges: completeChain(discs, labels), shiftEvidence, evidence };
}

/** Mean log evidence for the names at an offset of `step` in `asVertebra`, relative to those of the chain. */
function evidenceFor(links: readonly number[], asVertebra: Float64Array, step: number): number {
  const moved = links.filter((at) => at + step >= 0 && at + step < asVertebra.length);
  const sum = moved.reduce((total, at) => total + (asVertebra[at + step] as number) - (asVertebra[at] as number), 0);
  return moved.length === 0 ? -Infinity : sum / moved.length / chainRules.identityWeight;
}

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

function discAt(at: number, places: readonly Point[]): NamedDisc {
  return { label: Math.floor(at / places.length), place: places[at % places.length] as Point };
}

/** Smooths the chain, interpolates hidden discs and extrapolates both ends along the same curve. */
function completeChain(seen: readonly NamedDisc[], labels: number): readonly ChainEdge[] {
  const places = new Map(seen.map(({ label, place }) => [label, place]));
  return Array.from({ length: labels }, (_, label): ChainEdge => {
    const place = places.get(label);
    const curve = columnCurve(seen, label);
    return place
      ? { place: interpolate(place, curve, chainRules.smoothing), seen: true }
      : { place: curve, seen: false };
  });
}
