import type { PlaneMap } from "../../core/cardiac/plane-map.ts";
import { type Corners, distancePx, type PictureSize } from "../../core/cardiac/points.ts";

/**
 * Focal length of a phone camera in longest sides of its picture (26–28 mm equivalent), used if the picture does not
 * determine it.
 */
export const usualFocalShare = 0.75;
/**
 * Range of phone cameras. A film that is barely rotated about one axis does not determine it: corners a few pixels off
 * give any value.
 */
const focalShares = { least: 0.6, most: 1.1 } as const;

/**
 * The perspective that maps the unit square (0,0),(1,0),(1,1),(0,1) to four corners.
 *
 * @see Heckbert 1989, Fundamentals of Texture Mapping and Image Warping, section 2.2.3
 */
export function unitSquareTo([tl, tr, br, bl]: Corners): PlaneMap {
  const dx1 = tr.x - br.x;
  const dy1 = tr.y - br.y;
  const dx2 = bl.x - br.x;
  const dy2 = bl.y - br.y;
  const sumX = tl.x - tr.x + br.x - bl.x;
  const sumY = tl.y - tr.y + br.y - bl.y;
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sumX * dy2 - dx2 * sumY) / determinant;
  const h = (dx1 * sumY - sumX * dy1) / determinant;
  return [
    tr.x - tl.x + g * tr.x,
    bl.x - tl.x + h * bl.x,
    tl.x,
    tr.y - tl.y + g * tr.y,
    bl.y - tl.y + h * bl.y,
    tl.y,
    g,
    h,
  ];
}

/**
 * Size of the rectified film [px]: the longer of each two opposite edges, then the foreshortened side extended to the
 * film's true aspect. Otherwise a screen photographed from the side would give a heart that is too narrow.
 *
 * @param picture  size of the photograph with the corners; its centre is taken as the camera's axis
 */
export function straightenedSizePx(corners: Corners, picture: PictureSize) {
  const [tl, tr, br, bl] = corners;
  const widthPx = Math.max(distancePx(tl, tr), distancePx(bl, br));
  const heightPx = Math.max(distancePx(tl, bl), distancePx(tr, br));
  const aspect = trueAspect(corners, picture);
  return widthPx / heightPx < aspect
    ? { widthPx: heightPx * aspect, heightPx }
    : { widthPx, heightPx: widthPx / aspect };
}

/**
 * Aspect (width / height) of a rectangle seen in perspective.
 *
 * @param picture  its centre is taken for the camera's axis
 */
export function trueAspect(corners: Corners, picture: PictureSize): number {
  const { across, down } = spaceEdgesOf(corners, picture, focalPxOf(corners, picture));
  return Math.hypot(...across) / Math.hypot(...down);
}

/**
 * The focal length at which a rectangle's edges are perpendicular in space, held to what telephones have [px].
 *
 * @param picture  its centre is taken for the camera's axis
 * @see Zhang & He 2007, Whiteboard scanning and image enhancement, section 3
 */
export function focalPxOf(corners: Corners, picture: PictureSize): number {
  const [a, b, , d, e, , g, h] = unitSquareTo(aroundCentre(corners, picture));
  const longestPx = Math.max(picture.widthPx, picture.heightPx);
  const share = Math.sqrt(-(a * b + d * e) / (g * h)) / longestPx;
  const { least, most } = focalShares;
  return longestPx * (Number.isFinite(share) ? Math.min(most, Math.max(least, share)) : usualFocalShare);
}

type Direction = readonly [x: number, y: number, depth: number];

/**
 * The film's edges in space, TL to TR and TL to BL, as a camera of this focal length saw them; both in the same unknown
 * unit.
 *
 * @param picture  its centre is taken for the camera's axis
 */
export function spaceEdgesOf(
  corners: Corners,
  picture: PictureSize,
  focalPx: number,
): { readonly across: Direction; readonly down: Direction } {
  const [a, b, , d, e, , g, h] = unitSquareTo(aroundCentre(corners, picture));
  return { across: [a, d, g * focalPx], down: [b, e, h * focalPx] };
}

function aroundCentre(corners: Corners, { widthPx, heightPx }: PictureSize): Corners {
  return corners.map(({ x, y }) => ({ x: x - (widthPx - 1) / 2, y: y - (heightPx - 1) / 2 })) as unknown as Corners;
}
