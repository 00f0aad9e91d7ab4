import { distancePx, type Point } from "../../core/cardiac/points.ts";
import { candidatesIn, type Candidate, type SquareMap } from "./corner-candidates.ts";
import { likeliestFilm } from "./corner-quadrilateral.ts";

/** Constants of a corner pack (`manifest.decoding`). */
export type CornerDecoding = {
  /** Input pixels per heat-map cell. */
  readonly stridePx: number;
  /** Half width of the window whose weighted mean refines a peak [cells]. */
  readonly refineCells: number;
  /** Corners are found when what is seen of them and of the sides between them reaches this value on average, 0–1. */
  readonly minimumEvidence: number;
  /** The film covers at least this part of the picture's area. */
  readonly minimumAreaFraction: number;
  /** The second look is a crop in which the film's bounding box takes this part of each side. */
  readonly secondLookFill: number;
};

/** Where a picture lies in the network's square input: input = (image + 0.5) * scale - 0.5 + offset. */
export type InputPlacement = { readonly scale: number; readonly offsetXPx: number; readonly offsetYPx: number };

/** The film's own corners in image pixels: top left, top right, bottom right, bottom left of the upright film. */
export type FilmCorners = readonly [Point, Point, Point, Point];

/** A rectangle of the image [px], in the coordinates of pixel edges: it spans left … left + width. It may reach outside. */
export type CropPx = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

const mapCount = 8;
/** Of each corner so many maxima are considered, down to this height. */
const candidateCount = 5;
const leastCandidate = 0.06;

/**
 * Reads the heat maps into the corners of the displayed film.
 *
 * @param heatMaps   Float32Array [1,8,S,S], row-major, 0–1: the corners TL, TR, BR, BL, then the sides top, right, bottom, left
 * @param placement  how the picture (or the crop of a second look) was laid into the input
 * @param imageSize  size of the picture that `placement` refers to [px]
 * @returns          null when no four places make a credible film
 * @throws RangeError  when the output is not eight square maps
 */
export function decodeCorners(
  heatMaps: Float32Array,
  placement: InputPlacement,
  imageSize: { readonly width: number; readonly height: number },
  decoding: CornerDecoding,
): FilmCorners | null {
  const maps = squareMaps(heatMaps);
  const candidates = maps.slice(0, 4).map((map) => candidatesIn(map, decoding.refineCells, leastCandidate, candidateCount));
  const likeliest = likeliestFilm(candidates, maps.slice(4));
  if (!likeliest || likeliest.evidence < decoding.minimumEvidence) return null;
  const [tl, tr, br, bl] = likeliest.corners;
  const toImage = ({ at }: Candidate): Point => cellToImage(at, decoding.stridePx, placement);
  const corners: FilmCorners = [toImage(tl), toImage(tr), toImage(br), toImage(bl)];
  return areaPx(corners) >= decoding.minimumAreaFraction * imageSize.width * imageSize.height ? corners : null;
}

function squareMaps(heatMaps: Float32Array): readonly SquareMap[] {
  const side = Math.sqrt(heatMaps.length / mapCount);
  if (!Number.isInteger(side) || side === 0) throw new RangeError("The corner network must give eight square maps");
  return Array.from({ length: mapCount }, (_, index) => ({ values: heatMaps.subarray(index * side * side, (index + 1) * side * side), side }));
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

/** Area of the convex quadrilateral [px²]: two triangles along a diagonal. */
function areaPx([tl, tr, br, bl]: FilmCorners): number {
  const diagonalPx = distancePx(tl, br);
  if (diagonalPx === 0) return 0;
  const doubleArea = (p: Point): number => Math.abs((br.x - tl.x) * (p.y - tl.y) - (br.y - tl.y) * (p.x - tl.x));
  return (doubleArea(tr) + doubleArea(bl)) / 2;
}
