import { meanPoint, type Point } from "./points.ts";

/** Ends of the long axis, then of the short one; `heart_right` is always the cranial, `heart_left` the caudal end. */
export const axisLandmarkNames = ["heart_top", "heart_bottom", "heart_right", "heart_left"] as const;

export const heartLandmarkNames = [...axisLandmarkNames, "VLAS"] as const;

/** The seven landmark classes of the API, in the order in which the API returns them. */
export const landmarkNames = [...heartLandmarkNames, "Vertebra A", "Vertebra B"] as const;

export type AxisName = (typeof axisLandmarkNames)[number];
export type HeartLandmarkName = (typeof heartLandmarkNames)[number];

/** Points by name [px of the processed image]. */
export type AxisEnds = Readonly<Record<AxisName, Point>>;
export type HeartLandmarks = Readonly<Record<HeartLandmarkName, Point>>;
export type Landmarks = Readonly<Record<(typeof landmarkNames)[number], Point>>;

/** Mean of the axis ends of all hearts, n >= 1 [px]. */
export function middleOfAxes(hearts: readonly AxisEnds[]): Point {
  return meanPoint(hearts.flatMap((heart) => axisLandmarkNames.map((name) => heart[name])));
}
