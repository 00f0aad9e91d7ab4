import { type Corners, distancePx, type PictureSize, type Point } from "../../../core/cardiac/points.ts";
import { candidatesIn, type Candidate, type SquareMap } from "./corner-candidates.ts";
import { mostLikelyFilm } from "./corner-quadrilateral.ts";
import { cornerMapCount, type CornerDecoding } from "../packs/pack-decodings.ts";

/** Position of a picture in the network's square input: input = (image + 0.5) * scale - 0.5 + offset. */
export type InputPlacement = { readonly scale: number; readonly offsetXPx: number; readonly offsetYPx: number };

/**
 * A rectangle of the image in coordinates of pixel edges [px]: it spans left … left + width and may exceed the image.
 */
export type CropPx = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

/** Maximum number and minimum value of the candidates for each corner. */
const candidateCount = 5;
const minCandidateValue = 0.06;

/**
 * Decodes the heat maps, [1,8,S,S], row-major, 0–1, to the corners of the displayed film [px of the picture that
 * `placement` refers to]; null if no four candidates form a plausible film.
 */
export function decodeCorners(
  heatMaps: Float32Array,
  placement: InputPlacement,
  imageSize: PictureSize,
  decoding: CornerDecoding,
): Corners | null {
  const maps = squareMaps(heatMaps);
  const candidates = maps
    .slice(0, 4)
    .map((map) => candidatesIn(map, decoding.refineCells, minCandidateValue, candidateCount));
  const likeliest = mostLikelyFilm(candidates, maps.slice(4));
  if (!likeliest || likeliest.evidence < decoding.minimumEvidence) return null;
  const [tl, tr, br, bl] = likeliest.corners;
  const toImage = ({ at }: Candidate): Point => cellToImage(at, decoding.stridePx, placement);
  const corners: Corners = [toImage(tl), toImage(tr), toImage(br), toImage(bl)];
  return areaPx(corners) >= decoding.minimumAreaFraction * imageSize.widthPx * imageSize.heightPx ? corners : null;
}

function squareMaps(heatMaps: Float32Array): readonly SquareMap[] {
  const side = Math.sqrt(heatMaps.length / cornerMapCount);
  return Array.from({ length: cornerMapCount }, (_, index) => ({
    values: heatMaps.subarray(index * side * side, (index + 1) * side * side),
    side,
  }));
}

/**
 * Square crop for a second look, in which the film fills more of the network's input, so that its corners are more
 * precise; null if it would magnify by less than a tenth.
 */
export function secondLookCrop(corners: Corners, imageSize: PictureSize, decoding: CornerDecoding): CropPx | null {
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(right - left, bottom - top) / decoding.secondLookFill;
  if (side * 1.1 > Math.max(imageSize.widthPx, imageSize.heightPx)) return null;
  return { left: (left + right - side) / 2, top: (top + bottom - side) / 2, width: side, height: side };
}

function cellToImage(cell: Point, stridePx: number, placement: InputPlacement): Point {
  const back = (cells: number, offsetPx: number): number =>
    ((cells + 0.5) * stridePx - offsetPx) / placement.scale - 0.5;
  return { x: back(cell.x, placement.offsetXPx), y: back(cell.y, placement.offsetYPx) };
}

/** Area of the convex quadrilateral [px²]: two triangles along a diagonal. */
function areaPx([tl, tr, br, bl]: Corners): number {
  const diagonalPx = distancePx(tl, br);
  if (diagonalPx === 0) return 0;
  const doubleArea = (p: Point): number => Math.abs((br.x - tl.x) * (p.y - tl.y) - (br.y - tl.y) * (p.x - tl.x));
  return (doubleArea(tr) + doubleArea(bl)) / 2;
}
