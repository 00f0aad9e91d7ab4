import type { Point } from "../../../core/cardiac/points.ts";
import type { LandmarkDecoding } from "../packs/pack-decodings.ts";
import type { ThoraxPose } from "./thorax-pose.ts";

/**
 * Affine view of an image: network px = matrix · image px + offset; both count from the centre of the top left pixel.
 */
export type NetworkFrame = {
  /** Row-major: [xx, xy, yx, yy]. */
  readonly matrix: readonly [number, number, number, number];
  readonly offset: readonly [number, number];
};

/** Letterbox: the whole image, centred, on a square of `side` px. */
export function wholeFilmFrame(width: number, height: number, side: number): NetworkFrame {
  const scale = side / Math.max(width, height);
  const offsetFor = (length: number): number => (side - length * scale) / 2 + scale / 2 - 0.5;
  return { matrix: [scale, 0, 0, scale], offset: [offsetFor(width), offsetFor(height)] };
}

export function mirroredFrame({ matrix: [xx, xy, yx, yy], offset: [x, y] }: NetworkFrame, side: number): NetworkFrame {
  return { matrix: [-xx, -xy, yx, yy], offset: [side - 1 - x, y] };
}

/** Magnifies a view by a factor, centred at a point [image px]. */
export function closerFrame({ matrix }: NetworkFrame, times: number, point: Point, side: number): NetworkFrame {
  const closer = matrix.map((value) => times * value) as unknown as NetworkFrame["matrix"];
  return frameAt(closer, point, middleOf(side));
}

/** Frame with a point of the image at a place of the view. */
export function frameAt(matrix: NetworkFrame["matrix"], { x, y }: Point, place: Point): NetworkFrame {
  const [xx, xy, yx, yy] = matrix;
  return { matrix, offset: [place.x - (xx * x + xy * y), place.y - (yx * x + yy * y)] };
}

export function middleOf(side: number): Point {
  return { x: side / 2 - 0.5, y: side / 2 - 0.5 };
}

export function turnedFrame(frame: NetworkFrame, side: number, quarters: number): NetworkFrame {
  let turned = frame;
  for (let quarter = 0; quarter < quarters; quarter++) {
    const [xx, xy, yx, yy] = turned.matrix;
    turned = { matrix: [-yx, -yy, xx, xy], offset: [side - 1 - turned.offset[1], turned.offset[0]] };
  }
  return turned;
}

/** Upright crop around the thorax: the animal faces left, the column is horizontal. `member` selects the view. */
export function thoraxFrame(
  pose: ThoraxPose,
  rules: LandmarkDecoding["crop"],
  side: number,
  member: number,
): NetworkFrame {
  const view = rules.memberViews[member % Math.max(1, rules.memberViews.length)] ?? { turnDeg: 0, scale: 1 };
  const scale = (view.scale * side) / (rules.vertebrae * pose.vertebraPx);
  const angle = pose.angleRad + (view.turnDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const flip = pose.isMirrored ? -1 : 1;
  const matrix = [cos * flip, -sin, sin * flip, cos] as const;
  const ventralPx = (rules.centreVentralOfT8 * side) / rules.vertebrae;
  const { x, y } = middleOf(side);
  return frameAt(matrix, pose.t8, { x, y: y - ventralPx });
}

export function toNetwork(frame: NetworkFrame, point: Point): Point {
  const [xx, xy, yx, yy] = frame.matrix;
  return { x: xx * point.x + xy * point.y + frame.offset[0], y: yx * point.x + yy * point.y + frame.offset[1] };
}

export function toImage(frame: NetworkFrame, point: Point): Point {
  const [xx, xy, yx, yy] = frame.matrix;
  const determinant = xx * yy - xy * yx;
  const x = point.x - frame.offset[0];
  const y = point.y - frame.offset[1];
  return { x: (yy * x - xy * y) / determinant, y: (xx * y - yx * x) / determinant };
}

/** Converts a heat-map cell to network px; both count from the centre of the first one. */
export function cellToNetwork(cell: Point, stridePx: number): Point {
  return { x: (cell.x + 0.5) * stridePx - 0.5, y: (cell.y + 0.5) * stridePx - 0.5 };
}

export function networkToCell(point: Point, stridePx: number): Point {
  return { x: (point.x + 0.5) / stridePx - 0.5, y: (point.y + 0.5) / stridePx - 0.5 };
}
