import type { PlaneMap } from "../../core/cardiac/plane-map.ts";
import { type Corners, distancePx, type PictureSize } from "../../core/cardiac/points.ts";

/**
 * Focal length of a phone camera as a multiple of the picture's longest side (26–28 mm equivalent), used if the picture
 * does not determine it.
 */
export const usualFocalShare = 0.75;
/**
 * Range of phone cameras. A film that is barely rotated about one axis does not determine the focal length: corners
 * that are off by a few pixels result in any value.
 */
const focalShares = { least: 0.6, most: 1.1 } as const;

/**
 * Perspective that maps the unit square (0,0),(1,0),(1,1),(0,1) to four corners.
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
 * film's true aspect. Otherwise the heart would be too narrow in a screen photographed from the side.
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

/** Aspect (width / height) of a rectangle in perspective; the camera's axis is assumed at the picture's centre. */
export function trueAspect(corners: Corners, picture: PictureSize): number {
  const { across, down } = spaceEdgesOf(corners, picture, focalPxOf(corners, picture));
  return Math.hypot(...across) / Math.hypot(...down);
}

/**
 * Focal length at which a rectangle's edges are perpendicular in space, clamped to the range of phone cameras [px].
 *
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
 * The film's edges in space, TL to TR and TL to BL, for a camera of the given focal length; both in the same unknown
 * unit.
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
