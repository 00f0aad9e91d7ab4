import { distancePx, type Point } from "../../core/cardiac/points.ts";

/** Constants of a corner pack (`manifest.decoding`). */
export type CornerDecoding = {
  /** Input pixels per heat-map cell. */
  readonly stridePx: number;
  /** Half width of the window whose weighted mean refines a peak [cells]. */
  readonly refineCells: number;
  /** Corners are found when the weakest of the four peaks reaches this value, 0–1. */
  readonly minimumPeak: number;
  /** The film covers at least this part of the picture's area. */
  readonly minimumAreaFraction: number;
  /** The second look is a crop in which the film's bounding box takes this part of each side. */
  readonly secondLookFill: number;
};

/** Where a picture lies in the network's square input: input = (image + 0.5) * scale - 0.5 + offset. */
export type InputPlacement = { readonly scale: number; readonly offsetXPx: number; readonly offsetYPx: number };

/** The film's own corners in image pixels: top left, top right, bottom right, bottom left of the upright film. */
export type FilmCorners = readonly [Point, Point, Point, Point];

/** `confidence` is the weakest of the four peaks, 0–1; `isFound` is false when they are no credible film. */
export type CornerFinding = { readonly corners: FilmCorners; readonly confidence: number; readonly isFound: boolean };

/** A rectangle of the image [px], in the coordinates of pixel edges: it spans left … left + width. It may reach outside. */
export type CropPx = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

type Peak = { readonly at: Point; readonly value: number };

/**
 * Reads four heat maps into the corners of the displayed film.
 *
 * @param heatMaps   Float32Array [1,4,S,S], row-major, 0–1, one map per corner in the order TL, TR, BR, BL
 * @param placement  how the picture (or the crop of a second look) was laid into the input
 * @param imageSize  size of the picture that `placement` refers to [px]
 * @throws RangeError  when the output is not four square maps
 */
export function decodeCorners(
  heatMaps: Float32Array,
  placement: InputPlacement,
  imageSize: { readonly width: number; readonly height: number },
  decoding: CornerDecoding,
): CornerFinding {
  const side = Math.sqrt(heatMaps.length / 4);
  if (!Number.isInteger(side) || side === 0) throw new RangeError("The corner network must give four square maps");
  const peakOf = (index: number): Peak =>
    refinedPeak(heatMaps.subarray(index * side * side, (index + 1) * side * side), side, decoding.refineCells);
  const peaks = [peakOf(0), peakOf(1), peakOf(2), peakOf(3)] as const;
  const toImage = (peak: Peak): Point => cellToImage(peak.at, decoding.stridePx, placement);
  const corners: FilmCorners = [toImage(peaks[0]), toImage(peaks[1]), toImage(peaks[2]), toImage(peaks[3])];
  const confidence = Math.min(...peaks.map((peak) => peak.value));
  const minimumAreaPx = decoding.minimumAreaFraction * imageSize.width * imageSize.height;
  const isFound = confidence >= decoding.minimumPeak && isClockwiseConvex(corners) && areaPx(corners) >= minimumAreaPx;
  return { corners, confidence, isFound };
}

/**
 * The square crop in which the film fills the network's input better; its corners are then read again, finer.
 *
 * @returns null when a second look would magnify by less than a tenth
 */
export function secondLookCrop(
  corners: FilmCorners,
  imageSize: { readonly width: number; readonly height: number },
  decoding: CornerDecoding,
): CropPx | null {
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(right - left, bottom - top) / decoding.secondLookFill;
  if (side * 1.1 > Math.max(imageSize.width, imageSize.height)) return null;
  return { left: (left + right - side) / 2, top: (top + bottom - side) / 2, width: side, height: side };
}

function cellToImage(cell: Point, stridePx: number, placement: InputPlacement): Point {
  const back = (cells: number, offsetPx: number): number => ((cells + 0.5) * stridePx - offsetPx) / placement.scale - 0.5;
  return { x: back(cell.x, placement.offsetXPx), y: back(cell.y, placement.offsetYPx) };
}

/** The highest cell of a map, moved to the weighted mean of its neighbourhood [cells, origin at the first cell's centre]. */
function refinedPeak(map: Float32Array, side: number, radius: number): Peak {
  let best = 0;
  for (let index = 1; index < map.length; index += 1) if ((map[index] ?? 0) > (map[best] ?? 0)) best = index;
  const [column, row] = [best % side, Math.floor(best / side)];
  let [weight, x, y] = [0, 0, 0];
  for (let v = Math.max(0, row - radius); v <= Math.min(side - 1, row + radius); v += 1) {
    for (let u = Math.max(0, column - radius); u <= Math.min(side - 1, column + radius); u += 1) {
      const value = map[v * side + u] ?? 0;
      [weight, x, y] = [weight + value, x + value * u, y + value * v];
    }
  }
  const at = weight > 0 ? { x: x / weight, y: y / weight } : { x: column, y: row };
  return { at, value: map[best] ?? 0 };
}

/** Whether the corners turn the same way, clockwise on the screen (y down), at each of the four. */
function isClockwiseConvex(corners: FilmCorners): boolean {
  return corners.every((corner, index) => {
    const next = corners[(index + 1) % 4] ?? corner;
    const afterNext = corners[(index + 2) % 4] ?? corner;
    const cross = (next.x - corner.x) * (afterNext.y - next.y) - (next.y - corner.y) * (afterNext.x - next.x);
    return cross > 0;
  });
}

/** Area of the convex quadrilateral [px²]: two triangles along a diagonal. */
function areaPx([tl, tr, br, bl]: FilmCorners): number {
  const diagonalPx = distancePx(tl, br);
  if (diagonalPx === 0) return 0;
  const doubleArea = (p: Point): number => Math.abs((br.x - tl.x) * (p.y - tl.y) - (br.y - tl.y) * (p.x - tl.x));
  return (doubleArea(tr) + doubleArea(bl)) / 2;
}
