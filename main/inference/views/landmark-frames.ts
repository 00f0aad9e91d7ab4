import { distancePx, type Point } from "../../../core/cardiac/points.ts";

/**
 * What a network sees of an image: network px = matrix · image px + offset; both count from the centre of the top left
 * pixel.
 */
export type NetworkFrame = {
  /** Row-major: [xx, xy, yx, yy]. */
  readonly matrix: readonly [number, number, number, number];
  readonly offset: readonly [number, number];
};

/** Where the thorax lies and which way it faces. */
export type ThoraxPose = {
  /** Cranial edge of T8 [image px]. */
  readonly t8: Point;
  readonly vertebraPx: number;
  /** Turn that levels the column, after mirroring [rad]. */
  readonly angleRad: number;
  /** Whether the animal faces right. */
  readonly isMirrored: boolean;
};

/** How a member's view differs from the plain upright crop, so that the votes do not share one crop's luck. */
type MemberView = { readonly turnDeg: number; readonly scale: number };

/** The upright crop: its side, and how far ventral of T8 its centre lies [vertebrae]. */
export type CropRules = {
  readonly vertebrae: number;
  readonly centreVentralOfT8: number;
  readonly memberViews: readonly MemberView[];
};

/** Letterbox: the whole image, centred, on a square of `side` px. */
export function wholeFilmFrame(width: number, height: number, side: number): NetworkFrame {
  const scale = side / Math.max(width, height);
  const offsetFor = (length: number): number => (side - length * scale) / 2 + scale / 2 - 0.5;
  return { matrix: [scale, 0, 0, scale], offset: [offsetFor(width), offsetFor(height)] };
}

/** The same view of the picture's mirror image. */
export function mirroredFrame({ matrix: [xx, xy, yx, yy], offset: [x, y] }: NetworkFrame, side: number): NetworkFrame {
  return { matrix: [-xx, -xy, yx, yy], offset: [side - 1 - x, y] };
}

/** A view whose pose is no further off than this is good enough: the networks learnt on views that are further off. */
const poseTolerance = { vertebraShare: 0.04, t8Vertebrae: 0.4, turnDeg: 3 } as const;

/** Whether two poses give the same view but for what does not matter. */
export function isSamePose(a: ThoraxPose, b: ThoraxPose): boolean {
  const turnRad = Math.abs(Math.atan2(Math.sin(a.angleRad - b.angleRad), Math.cos(a.angleRad - b.angleRad)));
  return (
    a.isMirrored === b.isMirrored &&
    Math.abs(Math.log(a.vertebraPx / b.vertebraPx)) <= poseTolerance.vertebraShare &&
    distancePx(a.t8, b.t8) <= poseTolerance.t8Vertebrae * a.vertebraPx &&
    turnRad <= (poseTolerance.turnDeg * Math.PI) / 180
  );
}

/** Upright crop around the thorax: the animal faces left, the column runs level. `member` picks the view. */
export function thoraxFrame(pose: ThoraxPose, rules: CropRules, side: number, member: number): NetworkFrame {
  const view = rules.memberViews[member % Math.max(1, rules.memberViews.length)] ?? { turnDeg: 0, scale: 1 };
  const scale = (view.scale * side) / (rules.vertebrae * pose.vertebraPx);
  const angle = pose.angleRad + (view.turnDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const flip = pose.isMirrored ? -1 : 1;
  const matrix = [cos * flip, -sin, sin * flip, cos] as const;
  const middle = side / 2 - 0.5;
  const ventralPx = (rules.centreVentralOfT8 * side) / rules.vertebrae;
  return {
    matrix,
    offset: [
      middle - (matrix[0] * pose.t8.x + matrix[1] * pose.t8.y),
      middle - ventralPx - (matrix[2] * pose.t8.x + matrix[3] * pose.t8.y),
    ],
  };
}

/** Image px to network px. */
export function toNetwork(frame: NetworkFrame, point: Point): Point {
  const [xx, xy, yx, yy] = frame.matrix;
  return { x: xx * point.x + xy * point.y + frame.offset[0], y: yx * point.x + yy * point.y + frame.offset[1] };
}

/** Network px to image px. */
export function toImage(frame: NetworkFrame, point: Point): Point {
  const [xx, xy, yx, yy] = frame.matrix;
  const determinant = xx * yy - xy * yx;
  const x = point.x - frame.offset[0];
  const y = point.y - frame.offset[1];
  return { x: (yy * x - xy * y) / determinant, y: (xx * y - yx * x) / determinant };
}

/** Heat-map cell to network px; both count from the centre of the first one. */
export function cellToNetwork(cell: Point, stridePx: number): Point {
  return { x: (cell.x + 0.5) * stridePx - 0.5, y: (cell.y + 0.5) * stridePx - 0.5 };
}

/** Network px to heat-map cell. */
export function networkToCell(point: Point, stridePx: number): Point {
  return { x: (point.x + 0.5) / stridePx - 0.5, y: (point.y + 0.5) / stridePx - 0.5 };
}
