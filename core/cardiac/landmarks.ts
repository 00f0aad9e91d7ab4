import { meanPoint, type Point } from "./points.ts";

/** The seven landmark classes of the API, in the order in which the API returns them. */
export const landmarkNames = [
  "heart_top",
  "heart_bottom",
  "heart_right",
  "heart_left",
  "VLAS",
  "Vertebra A",
  "Vertebra B",
] as const;

/** A landmark class; `heart_right` is always the cranial, `heart_left` the caudal end of the short axis. */
type LandmarkName = (typeof landmarkNames)[number];

/** The five landmarks of the heart; the ruler provides the vertebrae. */
export const heartLandmarkNames = ["heart_top", "heart_bottom", "heart_right", "heart_left", "VLAS"] as const;

export type HeartLandmarkName = (typeof heartLandmarkNames)[number];

/** All seven landmarks [px of the processed image]. */
export type Landmarks = Readonly<Record<LandmarkName, Point>>;

/** The five heart landmarks [px of the processed image]. */
export type HeartLandmarks = Readonly<Record<HeartLandmarkName, Point>>;

/** Ends of the long axis, then of the short one. */
export const axisLandmarkNames = ["heart_top", "heart_bottom", "heart_right", "heart_left"] as const;

export type AxisName = (typeof axisLandmarkNames)[number];

/** The four ends of the cardiac axes [px]. */
export type AxisEnds = Readonly<Record<AxisName, Point>>;

/** Mean of the axis ends of all hearts, n >= 1 [px]. */
export function middleOfAxes(hearts: readonly AxisEnds[]): Point {
  return meanPoint(hearts.flatMap((heart) => axisLandmarkNames.map((name) => heart[name])));
}
