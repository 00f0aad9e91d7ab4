import { z } from "zod";
import type { HeartLandmarks } from "../../core/cardiac/landmarks.ts";
import { heartLandmarkNames } from "../../core/cardiac/landmarks.ts";
import { distancePx, type Point } from "../../core/cardiac/points.ts";
import { chainRules, findVertebralChain, type ColumnMaps } from "../../core/cardiac/vertebral-chain.ts";
import { median } from "../../core/cardiac/vertebral-ruler.ts";
import { toImage, toNetwork, type NetworkFrame, type ThoraxPose } from "./landmark-frames.ts";

/** Constants of a landmark pack (`manifest.decoding`). */
export const landmarkDecodingSchema = z.object({
  /** Order of the heart's maps; the vertebrae's follow, the any-disc map is last. */
  heartPoints: z.tuple([z.literal("heart_top"), z.literal("heart_bottom"), z.literal("heart_right"), z.literal("heart_left"), z.literal("VLAS")]),
  /** Vertebrae whose cranial edge has a map, cranial to caudal. */
  vertebrae: z.array(z.string()).min(8),
  stride: z.number().int().positive(),
  crop: z.object({
    vertebrae: z.number().positive(),
    centreVentralOfT8: z.number(),
    memberViews: z.array(z.object({ turnDeg: z.number(), scale: z.number().positive() })).min(1),
  }),
  sharpnessHigh: z.number().min(0).max(1),
});
export type LandmarkDecoding = z.infer<typeof landmarkDecodingSchema>;

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

/** What one network says of one view: where the thorax is, null when its points form no column, and what it reads there. */
export type LandmarkLook = {
  readonly frame: NetworkFrame;
  readonly pose: ThoraxPose | null;
  readonly reading: MemberReading;
  readonly column: ColumnMaps;
};

/** What the members say, and the edges on which they agree: one chain through their averaged maps. */
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
  const column = columnMaps(view, decoding, side);
  const edges = columnEdges(column, view.frame, decoding, side);
  const heart = namedPoints(view, side).slice(0, heartLandmarkNames.length);
  const reading = { heart: heartLandmarks(heart), edges: fromT4(edges, decoding), sharpness: heartSharpness(view.outputs) };
  return { frame: view.frame, pose: thoraxPose(edges, heart, decoding), reading, column };
}

/**
 * Brings together what the members of an ensemble saw of the thorax.
 *
 * @param looks  one per member, n >= 1
 * @param side   side of the networks' input [px]
 */
export function agree(looks: readonly LandmarkLook[], decoding: LandmarkDecoding, side: number): LandmarkReading {
  const [reference] = looks as [LandmarkLook];
  const agreed = columnEdges(averageMaps(looks, side), reference.frame, decoding, side);
  const members = looks.map(({ reading }) => reading);
  const sharpness = members.reduce((sum, member) => sum + member.sharpness, 0) / members.length;
  return { members, edges: fromT4(agreed, decoding), sharpness };
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
function columnEdges(maps: ColumnMaps, frame: NetworkFrame, decoding: LandmarkDecoding, side: number): Point[] {
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

/** Mean of the members' maps, each laid over the first member's view; identity only where a disc may be, as nothing else is read. */
function averageMaps(looks: readonly LandmarkLook[], side: number): ColumnMaps {
  const [{ column: first, frame: reference }] = looks as [LandmarkLook];
  const stride = side / first.cells;
  const anyDisc = new Float32Array(first.anyDisc.length);
  const identity = new Float32Array(first.identity.length);
  const sums = first.expected.map(() => ({ x: 0, y: 0 }));
  const lookUps = looks.map(({ frame }) =>
    lookUp(first.cells, (cell) => networkToCell(toNetwork(frame, toImage(reference, cellToNetwork(cell, stride))), stride)),
  );
  const everywhere = Int32Array.from(anyDisc, (_, cell) => cell);
  looks.forEach(({ column }, index) => addResampled(column.anyDisc, anyDisc, lookUps[index] as LookUp, everywhere, 1 / looks.length));
  const nearDiscs = cellsNearDiscs(anyDisc, first.cells, everywhere);
  for (const [index, { column, frame }] of looks.entries()) {
    addResampled(column.identity, identity, lookUps[index] as LookUp, nearDiscs, 1 / looks.length);
    column.expected.forEach((place, label) => {
      const moved = networkToCell(toNetwork(reference, toImage(frame, cellToNetwork(place, stride))), stride);
      const sum = sums[label] as { x: number; y: number };
      sum.x += moved.x / looks.length;
      sum.y += moved.y / looks.length;
    });
  }
  return { cells: first.cells, anyDisc, identity, expected: sums };
}

/** Where each cell of one map lies in another: index of the upper left of four neighbours (-1 outside) and their weights. */
type LookUp = { readonly cells: number; readonly corner: Int32Array; readonly weights: Float32Array };

/** `across` is affine, so three places tell all of it. */
function lookUp(cells: number, across: (cell: Point) => Point): LookUp {
  const origin = across({ x: 0, y: 0 });
  const right = across({ x: 1, y: 0 });
  const down = across({ x: 0, y: 1 });
  const corner = new Int32Array(cells * cells).fill(-1);
  const weights = new Float32Array(4 * cells * cells);
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      const atX = origin.x + x * (right.x - origin.x) + y * (down.x - origin.x);
      const atY = origin.y + x * (right.y - origin.y) + y * (down.y - origin.y);
      const left = Math.floor(atX);
      const top = Math.floor(atY);
      if (left < 0 || top < 0 || left >= cells - 1 || top >= cells - 1) continue;
      const [u, v] = [atX - left, atY - top];
      const cell = y * cells + x;
      corner[cell] = top * cells + left;
      weights[4 * cell] = (1 - u) * (1 - v);
      weights[4 * cell + 1] = u * (1 - v);
      weights[4 * cell + 2] = (1 - u) * v;
      weights[4 * cell + 3] = u * v;
    }
  }
  return { cells, corner, weights };
}

/** Cells within the chain's reach of one that may be a disc. */
function cellsNearDiscs(anyDisc: Float32Array, cells: number, everyCell: Int32Array): Int32Array {
  const { identityReachCells: reach, leastDiscProbability } = chainRules;
  const near = new Uint8Array(anyDisc.length);
  anyDisc.forEach((disc, cell) => {
    if (disc < leastDiscProbability) return;
    for (let row = -reach; row <= reach; row++) {
      for (let column = -reach; column <= reach; column++) near[cell + row * cells + column] = 1;
    }
  });
  return everyCell.filter((cell) => near[cell] === 1);
}

/** Adds `share` of every map in `source` (n stacked squares) to `target` in some cells, bilinearly. */
function addResampled(source: Float32Array, target: Float32Array, { cells, corner, weights }: LookUp, wanted: Int32Array, share: number): void {
  const area = cells * cells;
  for (let start = 0; start < source.length; start += area) {
    for (const cell of wanted) {
      const at = start + (corner[cell] as number);
      if ((corner[cell] as number) < 0) continue;
      const mixed =
        (source[at] as number) * (weights[4 * cell] as number) +
        (source[at + 1] as number) * (weights[4 * cell + 1] as number) +
        (source[at + cells] as number) * (weights[4 * cell + 2] as number) +
        (source[at + cells + 1] as number) * (weights[4 * cell + 3] as number);
      target[start + cell] = (target[start + cell] as number) + share * mixed;
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
