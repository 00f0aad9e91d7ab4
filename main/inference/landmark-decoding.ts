import type { HeartLandmarks } from "../../core/cardiac/landmarks.ts";
import { heartLandmarkNames } from "../../core/cardiac/landmarks.ts";
import { distancePx, type Point } from "../../core/cardiac/points.ts";
import { chainRules, discPeaks, findVertebralChain, type ColumnMaps } from "../../core/cardiac/vertebral-chain.ts";
import { median } from "../../core/cardiac/vertebral-ruler.ts";
import { toImage, toNetwork, type NetworkFrame, type ThoraxPose } from "./landmark-frames.ts";
import type { LandmarkDecoding } from "./pack-decodings.ts";

/** Outputs of one landmark network, as the session gives them; k points, then one any-disc map. */
export type LandmarkOutputs = {
  /** Float32Array [1, k, 2]: soft-argmax, shares of the side. */
  readonly points: Float32Array;
  /** Float32Array [1, k]: probability mass near each peak, 0–1. */
  readonly sharpness: Float32Array;
  /** Float32Array [1, k + 1, cells, cells]: softmax maps, the last one the probability of any disc. */
  readonly maps: Float32Array;
};

/** One network's outputs with the view it had. */
export type LandmarkView = { readonly outputs: LandmarkOutputs; readonly frame: NetworkFrame };

/** What one member says. Edges are cranial edges from T4 caudally [image px]. */
export type MemberReading = { readonly heart: HeartLandmarks; readonly edges: readonly Point[]; readonly sharpness: number };

/** What one network sees of the column in its view. */
export type ColumnView = { readonly frame: NetworkFrame; readonly maps: ColumnMaps };

/** What one network says of one view: where the thorax is, null when its points form no column, and what it reads there. */
export type LandmarkLook = { readonly pose: ThoraxPose | null; readonly reading: MemberReading; readonly column: ColumnView };

/** What the members say, the edges on which they agree, and the mean of their sharpness. */
export type LandmarkReading = { readonly members: readonly MemberReading[]; readonly edges: readonly Point[]; readonly sharpness: number };

const firstMeasured = "T4";
/** Vertebrae between these give the pose; those beyond bend away from the column's line. */
const poseFrom = "T3";
const poseTo = "T12";

/**
 * Reads one network's outputs.
 *
 * @param side  side of the network's input [px]
 */
export function readView(view: LandmarkView, decoding: LandmarkDecoding, side: number): LandmarkLook {
  const column = { frame: view.frame, maps: columnMaps(view, decoding, side) };
  const edges = columnEdges(column, decoding, side);
  const heart = namedPoints(view, side).slice(0, heartLandmarkNames.length);
  const reading = { heart: heartLandmarks(heart), edges: fromT4(edges, decoding), sharpness: heartSharpness(view.outputs) };
  return { pose: thoraxPose(edges, heart, decoding), reading, column };
}

/**
 * The edges on which the members of an ensemble agree: one chain through all that they saw of the column.
 *
 * @param columns  one per member, n >= 1
 * @param side     side of the networks' input [px]
 * @returns        cranial edges from T4 caudally [image px]
 */
export function agreedEdges(columns: readonly ColumnView[], decoding: LandmarkDecoding, side: number): readonly Point[] {
  return fromT4(columnEdges(averageColumn(columns, side), decoding, side), decoding);
}

/** Where the thorax lies, from the column's edges, C7 first, and the points of the heart [image px]. */
function thoraxPose(edges: readonly Point[], heartPoints: readonly Point[], decoding: LandmarkDecoding): ThoraxPose | null {
  const column = edges.slice(decoding.vertebrae.indexOf(poseFrom), decoding.vertebrae.indexOf(poseTo) + 1);
  const slope = linearFit(column);
  const vertebraPx = median(column.slice(1).map((edge, index) => distancePx(column[index] as Point, edge)));
  if (!(vertebraPx > 0)) return null;
  const steps = decoding.vertebrae.indexOf("T8") - decoding.vertebrae.indexOf(poseFrom);
  const t8 = { x: slope.start.x + slope.step.x * steps, y: slope.start.y + slope.step.y * steps };
  const heart = meanPoint(heartPoints);
  const isMirrored = slope.step.x * (heart.y - t8.y) - slope.step.y * (heart.x - t8.x) < 0;
  const angleRad = -Math.atan2(slope.step.y, isMirrored ? -slope.step.x : slope.step.x);
  return { t8, vertebraPx, angleRad, isMirrored };
}

function fromT4(edges: readonly Point[], decoding: LandmarkDecoding): readonly Point[] {
  return edges.slice(decoding.vertebrae.indexOf(firstMeasured));
}

function heartLandmarks(points: readonly Point[]): HeartLandmarks {
  return Object.fromEntries(heartLandmarkNames.map((name, index) => [name, points[index] as Point])) as HeartLandmarks;
}

function heartSharpness(outputs: LandmarkOutputs): number {
  const values = outputs.sharpness.subarray(0, heartLandmarkNames.length);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Soft-argmax of every point [image px]. */
function namedPoints(view: LandmarkView, side: number): Point[] {
  const { points } = view.outputs;
  return Array.from({ length: points.length / 2 }, (_, index) =>
    toImage(view.frame, { x: (points[2 * index] as number) * side - 0.5, y: (points[2 * index + 1] as number) * side - 0.5 }),
  );
}

function columnMaps({ outputs }: LandmarkView, decoding: LandmarkDecoding, side: number): ColumnMaps {
  const cells = side / decoding.stride;
  const first = heartLandmarkNames.length;
  const count = decoding.vertebrae.length;
  const area = cells * cells;
  const expected = Array.from({ length: count }, (_, index) => ({
    x: (outputs.points[2 * (first + index)] as number) * cells - 0.5,
    y: (outputs.points[2 * (first + index) + 1] as number) * cells - 0.5,
  }));
  return {
    cells,
    identity: outputs.maps.subarray(first * area, (first + count) * area),
    anyDisc: outputs.maps.subarray((first + count) * area, (first + count + 1) * area),
    expected,
  };
}

/** Every vertebra's cranial edge [image px]: the chain of discs, or the expected places where no chain is found. */
function columnEdges({ frame, maps }: ColumnView, decoding: LandmarkDecoding, side: number): Point[] {
  const chain = findVertebralChain(maps);
  const places = chain ? chain.edges.map((edge) => edge.place) : maps.expected;
  return places.slice(0, decoding.vertebrae.length).map((place) => toImage(frame, cellToNetwork(place, side / maps.cells)));
}

function cellToNetwork(cell: Point, stride: number): Point {
  return { x: (cell.x + 0.5) * stride - 0.5, y: (cell.y + 0.5) * stride - 0.5 };
}

function networkToCell(point: Point, stride: number): Point {
  return { x: (point.x + 0.5) / stride - 0.5, y: (point.y + 0.5) / stride - 0.5 };
}

/** Mean of the members' maps, each laid over the first member's view; identity only near discs, as nothing else is read. */
function averageColumn(columns: readonly ColumnView[], side: number): ColumnView {
  const [{ maps: first, frame: reference }] = columns as [ColumnView];
  const { cells } = first;
  const stride = side / cells;
  const anyDisc = new Float32Array(first.anyDisc.length);
  const identity = new Float32Array(first.identity.length);
  const sums = first.expected.map(() => ({ x: 0, y: 0 }));
  const between = (from: NetworkFrame, to: NetworkFrame) => (cell: Point) => networkToCell(toNetwork(to, toImage(from, cellToNetwork(cell, stride))), stride);
  const everywhere = new Uint8Array(anyDisc.length).fill(1);
  for (const { maps, frame } of columns) addResampled(maps.anyDisc, anyDisc, cells, between(reference, frame), everywhere, 1 / columns.length);
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
  return { frame: reference, maps: { cells, anyDisc, identity, expected: sums } };
}

/** 1 for every cell that the chain reads of identity maps, 0 for the others. */
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
 * Adds `share` of every map in `source` (n stacked squares of `cells` a side) to `target` in the wanted cells, bilinearly.
 *
 * @param across  where a cell of the target lies in the source; affine, so three places tell all of it
 * @param wanted  1 for every cell that is
 */
function addResampled(
  source: Float32Array, target: Float32Array, cells: number, across: (cell: Point) => Point, wanted: Uint8Array, share: number,
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

/** Straight line through evenly numbered points: place of the first and step from each to the next. */
function linearFit(points: readonly Point[]): { start: Point; step: Point } {
  const mean = meanPoint(points);
  const centre = (points.length - 1) / 2;
  const spread = points.reduce((sum, _, index) => sum + (index - centre) ** 2, 0);
  const step = {
    x: points.reduce((sum, point, index) => sum + (index - centre) * point.x, 0) / spread,
    y: points.reduce((sum, point, index) => sum + (index - centre) * point.y, 0) / spread,
  };
  return { start: { x: mean.x - centre * step.x, y: mean.y - centre * step.y }, step };
}

function meanPoint(points: readonly Point[]): Point {
  const sum = points.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}
