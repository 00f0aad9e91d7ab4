import { heartLandmarkNames, middleOfAxes, type HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { doubtfulDirection } from "../../../core/cardiac/ruler/doubtful-name.ts";
import { evenChain } from "../../../core/cardiac/ruler/even/even-chain.ts";
import type { ColumnMaps } from "../../../core/cardiac/ruler/disc-candidates.ts";
import { unevenVertebrae, type UnevenVertebra } from "../../../core/cardiac/ruler/even/uneven-vertebrae.ts";
import { findVertebralChain, type VertebralChain } from "../../../core/cardiac/ruler/vertebral-chain.ts";
import type { OtherCount } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import { heartContrast } from "./heart-contrast.ts";
import { averageColumn, type ColumnView } from "./average-column.ts";
import { traceOutline } from "../../../core/cardiac/silhouette/silhouette.ts";
import { cellToNetwork, networkToCell, toImage, toNetwork, type NetworkFrame } from "../views/landmark-frames.ts";
import type { LandmarkDecoding } from "../packs/pack-decodings.ts";
import { thoraxPose, type ThoraxPose } from "../views/thorax-pose.ts";

/** Outputs of one landmark network with k points. */
export type LandmarkOutputs = {
  /** Float32Array [1, k, 2]: soft-argmax, as fractions of the side. */
  readonly points: Float32Array;
  /** Float32Array [1, k]: probability mass near each peak, 0–1. */
  readonly sharpness: Float32Array;
  /** [1, n, cells, cells]: k softmax maps, the probability of any disc, and the maps named by the decoding. */
  readonly maps: Float32Array;
};

/** Outputs of one network, with its view of the film; `input`: Float32Array [side, side], row-major, 0–1. */
export type LandmarkView = {
  readonly outputs: LandmarkOutputs;
  readonly frame: NetworkFrame;
  readonly input: Float32Array;
};

/** Reading of one member. Edges are cranial edges from T4 caudally [image px]. */
export type MemberReading = {
  readonly heart: HeartLandmarks;
  readonly edges: readonly Point[];
  /** Closed polygon around the heart [image px]; null if the pack has no silhouette or it is not sound. */
  readonly outline: readonly Point[] | null;
  readonly sharpness: number;
};

export type Vote = Omit<MemberReading, "sharpness">;

export type HeartVote = Omit<Vote, "edges">;

export type ThoraxSighting = {
  /** null if the network's points form no column */
  readonly pose: ThoraxPose | null;
  readonly columnEvidence: number;
};

export type LandmarkLook = {
  readonly reading: MemberReading;
  readonly column: ColumnView;
  /** Brightness of the heart relative to its surroundings, from `heartContrast`. */
  readonly heartContrast: number;
  /** Blur of the sharpest edges as a standard deviation [v]; undefined for direct films. */
  readonly edgeBlurV?: number | undefined;
};

/**
 * Agreement of the members on one film: edges from T4 caudally, the alternative count if T4 is uncertain, and the
 * outline of the heart [image px].
 */
export type AgreedView = Pick<MemberReading, "edges" | "outline"> & {
  readonly otherCount: OtherCount | null;
  /** From T4 caudally, before the lengths are evened out. */
  readonly uneven: readonly UnevenVertebra[];
  /** Chain of all cranial edges, in the order of the decoding [image px]; null if none was found. */
  readonly column: NamedColumn | null;
};

export type NamedColumn = Pick<VertebralChain, "edges" | "shiftEvidence">;

/** Agreement of the members, with the edges as counted by each of the pack's column networks. */
export type Agreement = Omit<AgreedView, "column"> & {
  readonly isColumnFound: boolean;
  /** Edges by each of the column networks, used instead of the chains; empty in packs without such networks. */
  readonly counts: readonly (readonly Point[])[];
};

export type LandmarkReading = Agreement & {
  readonly members: readonly MemberReading[];
  /** Votes: hearts and edges of the heart and column networks, or of the members in packs without those. */
  readonly votes: readonly Vote[];
  readonly sharpness: number;
  readonly edgeBlurV?: number | undefined;
};

type SilhouetteView = Pick<ColumnView, "frame" | "silhouette"> & { readonly maps: Pick<ColumnMaps, "cells"> };

const firstMeasured = "T4";

export function sightThorax(view: LandmarkView, decoding: LandmarkDecoding, side: number): ThoraxSighting {
  const maps = columnMaps(view, decoding, side);
  const chain = findVertebralChain(maps);
  const edges = edgesOf(chain, view.frame, maps, side);
  const heart = Object.values(heartLandmarks(view.outputs.points, view.frame, side));
  return { pose: thoraxPose(edges, heart, decoding.vertebrae), columnEvidence: chain?.evidence ?? 0 };
}

export function readView(view: LandmarkView, decoding: LandmarkDecoding, side: number): LandmarkLook {
  const { frame } = view;
  const maps = columnMaps(view, decoding, side);
  const column = { frame, maps, silhouette: silhouetteMap(view, decoding, maps.cells) };
  const chain = findVertebralChain(maps);
  const heart = heartLandmarks(view.outputs.points, view.frame, side);
  const inView = Object.fromEntries(
    heartLandmarkNames.map((name) => [name, toNetwork(frame, heart[name])]),
  ) as HeartLandmarks;
  return {
    reading: {
      heart,
      edges: fromT4(edgesOf(chain, frame, maps, side), chain, decoding),
      outline: outlineAround([heart], column, side),
      sharpness: heartSharpness(view.outputs),
    },
    column,
    heartContrast: heartContrast(view.input, side, inView),
  };
}

/** One chain through the mean maps of the members' columns, and one outline of their mean silhouette. */
export function agreedView(
  columns: readonly ColumnView[],
  hearts: readonly HeartLandmarks[],
  decoding: LandmarkDecoding,
  side: number,
): AgreedView {
  const mean = averageColumn(columns, side);
  const chain = findVertebralChain(mean.maps);
  const edges = edgesOf(chain, mean.frame, mean.maps, side);
  const column = chain && {
    edges: chain.edges.map(({ seen }, index) => ({ place: edges[index] as Point, seen })),
    shiftEvidence: chain.shiftEvidence,
  };
  return {
    edges: fromT4(edges, chain, decoding),
    otherCount: chain && otherCount(chain, edges, decoding),
    uneven: column ? unevenVertebrae(column.edges.slice(decoding.vertebrae.indexOf(firstMeasured))) : [],
    column,
    outline: outlineAround(hearts, mean, side),
  };
}

/** Evened edges from T4, or from `offset` vertebrae caudal of it. */
function fromT4(
  edges: readonly Point[],
  chain: VertebralChain | null,
  decoding: LandmarkDecoding,
  offset = 0,
): readonly Point[] {
  const first = decoding.vertebrae.indexOf(firstMeasured) + offset;
  return evenChain(
    edges.slice(first),
    chain?.edges.slice(first).map(({ seen }) => seen),
  );
}

function otherCount(chain: VertebralChain, edges: readonly Point[], decoding: LandmarkDecoding): OtherCount | null {
  const direction = doubtfulDirection(chain.shiftEvidence, null);
  return direction && { direction, edges: fromT4(edges, chain, decoding, direction === "cranial" ? -1 : 1) };
}

/** The heart's points [image px]; `points`: Float32Array [n, 2], the heart's first [fractions of the side]. */
export function heartLandmarks(points: Float32Array, frame: NetworkFrame, side: number): HeartLandmarks {
  const place = (index: number) =>
    toImage(frame, {
      x: (points[2 * index] as number) * side - 0.5,
      y: (points[2 * index + 1] as number) * side - 0.5,
    });
  return Object.fromEntries(heartLandmarkNames.map((name, index) => [name, place(index)])) as HeartLandmarks;
}

function heartSharpness(outputs: LandmarkOutputs): number {
  const values = outputs.sharpness.subarray(0, heartLandmarkNames.length);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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

function silhouetteMap(
  { outputs }: LandmarkView,
  { silhouette }: LandmarkDecoding,
  cells: number,
): Float32Array | null {
  return silhouette ? outputs.maps.subarray(silhouette.map * cells ** 2, (silhouette.map + 1) * cells ** 2) : null;
}

/** Outline around the middle of the voted axes [image px]; null without a sound silhouette. */
export function outlineAround(
  hearts: readonly HeartLandmarks[],
  { frame, maps: { cells }, silhouette }: SilhouetteView,
  side: number,
): readonly Point[] | null {
  if (!silhouette) return null;
  const stride = side / cells;
  const centre = networkToCell(toNetwork(frame, middleOfAxes(hearts)), stride);
  const outline = traceOutline({ cells, logits: silhouette }, centre);
  return outline && outline.map((cell) => toImage(frame, cellToNetwork(cell, stride)));
}

/** Cranial edge of every vertebra [image px]: by the chain of discs, or the expected positions without a chain. */
function edgesOf(chain: VertebralChain | null, frame: NetworkFrame, maps: ColumnMaps, side: number): readonly Point[] {
  const places = chain ? chain.edges.map((edge) => edge.place) : maps.expected;
  return places.map((place) => toImage(frame, cellToNetwork(place, side / maps.cells)));
}
