import { AppError } from "../../app-error.ts";
import { distancePx, interpolate, segmentLengthsPx, type Point } from "../points.ts";
import { median } from "../../median.ts";

/** Minimum and maximum number of vertebrae between A and B in a plausible detected ruler. */
export const rulerSegments = { least: 4, most: 8 } as const;
/** Limits of a segment's length relative to the median; a segment outside makes a detected ruler unreliable. */
export const rulerSegmentShare = { shortest: 0.6, longest: 1.5 } as const;
/** Number of equal parts of the fallback ruler: T4 to T9, as in the published formula. */
const fallbackParts = 6;

/**
 * The vertebral column as the unit of length. `edges[0]` is Vertebra A (cranial edge of T4); each further point is the
 * cranial edge of the next vertebra caudally.
 */
export type VertebralRuler = {
  readonly edges: readonly Point[];
  /** `fallback`: A–B in six equal parts, because the detected discs were implausible. */
  readonly kind: "detected" | "fallback";
};

/** Edges counted from an alternative T4, one vertebra farther cranially or caudally, if the name of T4 is uncertain. */
export type OtherCount = { readonly direction: "cranial" | "caudal"; readonly edges: readonly Point[] };

/**
 * Converts a length into vertebrae along the ruler from A, unrounded: whole segments plus the fraction of the last one.
 * Beyond the last edge, the last segment is the unit.
 *
 * @throws AppError EDGES_COINCIDE if a segment has no length
 * @see Buchanan & Bücheler 1995, JAVMA 206:194–199
 */
export function vertebraeSpanned(lengthPx: number, edges: readonly Point[]): number {
  const segments = segmentLengthsPx(edges);
  if (segments.length === 0 || segments.some((segment) => !(segment > 0))) throw new AppError("EDGES_COINCIDE");
  let [index, restPx] = [0, lengthPx];
  for (; index < segments.length - 1 && restPx > (segments[index] as number); index++)
    restPx -= segments[index] as number;
  return index + restPx / (segments[index] as number);
}

/**
 * Whether a length laid along the column from A ends beyond the ruler, so that its end is measured in units of the last
 * vertebra. A fallback ruler ends at the disc that the long axis is assumed to reach, so one more part counts as within
 * it.
 *
 * @throws AppError EDGES_COINCIDE
 */
export function extendsBeyondRuler(lengthPx: number, { edges, kind }: VertebralRuler): boolean {
  const vertebrae = edges.length - (kind === "fallback" ? 0 : 1);
  return vertebraeSpanned(lengthPx, edges) > vertebrae + 1e-9;
}

/**
 * Cuts the ruler after the vertebra in which the long axis ends; all edges if it reaches beyond the last.
 *
 * @throws AppError EDGES_COINCIDE
 */
export function edgesToVertebraB(edges: readonly Point[], longAxisPx: number): readonly Point[] {
  const vertebrae = Math.max(1, Math.ceil(vertebraeSpanned(longAxisPx, edges) - 1e-9));
  return edges.slice(0, Math.min(edges.length, vertebrae + 1));
}

/** Whether detected edges from A to B are plausible: 4–8 segments, none far from the median length. */
export function isReliable(edges: readonly Point[]): boolean {
  const segments = segmentLengthsPx(edges);
  if (segments.length < rulerSegments.least || segments.length > rulerSegments.most) return false;
  const medianPx = median(segments);
  return segments.every(
    (segment) => segment >= rulerSegmentShare.shortest * medianPx && segment <= rulerSegmentShare.longest * medianPx,
  );
}

/**
 * Ruler of six equal parts between A and B, for which VHS = 6 (|long| + |short|) / |AB|.
 *
 * @throws AppError EDGES_COINCIDE if A and B are the same point
 */
export function fallbackRuler(vertebraA: Point, vertebraB: Point): VertebralRuler {
  if (distancePx(vertebraA, vertebraB) === 0) throw new AppError("EDGES_COINCIDE");
  const edges = Array.from({ length: fallbackParts + 1 }, (_, part) =>
    interpolate(vertebraA, vertebraB, part / fallbackParts),
  );
  return { edges, kind: "fallback" };
}

/**
 * The detected edges if plausible, otherwise six equal parts. `edges`: from A caudally, may be too few or wrong.
 *
 * @throws AppError EDGES_COINCIDE with fewer than two distinct edges
 */
export function buildRuler(edges: readonly Point[], longAxisPx: number, isDetected = true): VertebralRuler {
  const [vertebraA] = edges;
  const last = edges.at(-1);
  if (!vertebraA || !last || edges.length < 2) throw new AppError("EDGES_COINCIDE");
  if (isDetected && segmentLengthsPx(edges).every((segment) => segment > 0)) {
    const toB = edgesToVertebraB(edges, longAxisPx);
    if (isReliable(toB)) return { edges: toB, kind: "detected" };
  }
  return fallbackRuler(vertebraA, edges[fallbackParts] ?? last);
}
