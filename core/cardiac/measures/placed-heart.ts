import { axisLandmarkNames, type AxisEnds, type AxisName, type HeartLandmarkName } from "../landmarks.ts";
import type { Point } from "../points.ts";
import { measures, type HandPointName, type HeartPointName } from "./measures.ts";

/** Heart points of a reading [px]: the ends of the axes, and the ends of the measures' lines if placed. */
export type PlacedHeart = AxisEnds & {
  readonly [Name in Exclude<HeartLandmarkName, AxisName>]: Point | null;
} & { readonly [Name in HandPointName]?: Point | null | undefined };

export const heartPointNames: readonly HeartPointName[] = [
  ...axisLandmarkNames,
  ...measures.flatMap(({ line }) => (line ? [line.point] : [])),
];

/** Collects the heart points from a source; null until both axes are complete. */
export function placedHeart(pointOf: (name: HeartPointName) => Point | null | undefined): PlacedHeart | null {
  if (axisLandmarkNames.some((name) => !pointOf(name))) return null;
  const handPoints = measures.filter(({ placedBy }) => placedBy === "person").map(({ line }) => line?.point);
  const points = heartPointNames.map((name) => [name, pointOf(name) ?? null] as const);
  return Object.fromEntries(
    points.filter(([name, point]) => point !== null || !handPoints.some((own) => own === name)),
  ) as PlacedHeart;
}
