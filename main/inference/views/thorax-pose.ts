import { distancePx, meanPoint, segmentLengthsPx, type Point } from "../../../core/cardiac/points.ts";
import { median } from "../../../core/median.ts";

export type ThoraxPose = {
  /** Cranial edge of T8 [image px]. */
  readonly t8: Point;
  readonly vertebraPx: number;
  /** Rotation that makes the column horizontal, after mirroring [rad]. */
  readonly angleRad: number;
  /** Whether the animal faces right. */
  readonly isMirrored: boolean;
};

/** Vertebrae between which the pose is determined; beyond them the column bends. */
const poseFrom = "T3";
const poseTo = "T12";

/**
 * Pose of the thorax [image px]; `vertebrae`: names of the edges, cranial to caudal, T3, T8 and T12 included. null if
 * the edges coincide.
 */
export function thoraxPose(
  edges: readonly Point[],
  heart: readonly Point[],
  vertebrae: readonly string[],
): ThoraxPose | null {
  const column = edges.slice(vertebrae.indexOf(poseFrom), vertebrae.indexOf(poseTo) + 1);
  const slope = linearFit(column);
  const vertebraPx = median(segmentLengthsPx(column));
  if (!(vertebraPx > 0)) return null;
  const steps = vertebrae.indexOf("T8") - vertebrae.indexOf(poseFrom);
  const t8 = { x: slope.start.x + slope.step.x * steps, y: slope.start.y + slope.step.y * steps };
  const heartCentre = meanPoint(heart);
  const isMirrored = slope.step.x * (heartCentre.y - t8.y) - slope.step.y * (heartCentre.x - t8.x) < 0;
  const angleRad = -Math.atan2(slope.step.y, isMirrored ? -slope.step.x : slope.step.x);
  return { t8, vertebraPx, angleRad, isMirrored };
}

/** Maximum differences between two poses of the same thorax. */
const closePoses = { vertebraShare: 0.12, t8Vertebrae: 1.2, turnDeg: 10 } as const;

export function isSamePose(a: ThoraxPose, b: ThoraxPose): boolean {
  const turnRad = Math.abs(Math.atan2(Math.sin(a.angleRad - b.angleRad), Math.cos(a.angleRad - b.angleRad)));
  return (
    a.isMirrored === b.isMirrored &&
    Math.abs(Math.log(a.vertebraPx / b.vertebraPx)) <= closePoses.vertebraShare &&
    distancePx(a.t8, b.t8) <= closePoses.t8Vertebrae * a.vertebraPx &&
    turnRad <= (closePoses.turnDeg * Math.PI) / 180
  );
}

/** Mean of poses that are close to each other, n >= 1. */
export function meanPose(poses: readonly ThoraxPose[]): ThoraxPose {
  const mean = (of: (pose: ThoraxPose) => number) => poses.reduce((sum, pose) => sum + of(pose), 0) / poses.length;
  return {
    t8: meanPoint(poses.map(({ t8 }) => t8)),
    vertebraPx: Math.exp(mean(({ vertebraPx }) => Math.log(vertebraPx))),
    angleRad: Math.atan2(
      mean(({ angleRad }) => Math.sin(angleRad)),
      mean(({ angleRad }) => Math.cos(angleRad)),
    ),
    isMirrored: poses[0]?.isMirrored ?? false,
  };
}

/** Fits a straight line to equidistant points: position of the first, and step from each to the next. */
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
