import { axisLandmarkNames, type AxisEnds, type AxisName, type HeartLandmarkName } from "../landmarks.ts";
import type { Point } from "../points.ts";
import { measures, type HandPointName, type HeartPointName } from "./measures.ts";

/** Heart points of a reading [px]: the axes, and where they are placed the ends of the measures' own lines. */
export type PlacedHeart = AxisEnds & {
  readonly [Name in Exclude<HeartLandmarkName, AxisName>]: Point | null;
} & { readonly [Name in HandPointName]?: Point | null | undefined };

/** The ends of both axes, then those of the measures' own lines. */
export const heartPointNames: readonly HeartPointName[] = [
  ...axisLandmarkNames,
  ...measures.flatMap(({ line }) => (line ? [line.point] : [])),
];

/** Heart from a source of points; null until both axes are complete. */
export function placedHeart(pointOf: (name: HeartPointName) => Point | null | undefined): PlacedHeart | null {
  if (axisLandmarkNames.some((name) => !pointOf(name))) return null;
  const ofPersons = measures.filter(({ placedBy }) => placedBy === "person").map(({ line }) => line?.point);
  const points = heartPointNames.map((name) => [name, pointOf(name) ?? null] as const);
  return Object.fromEntries(
    points.filter(([name, point]) => point !== null || !ofPersons.some((own) => own === name)),
  ) as PlacedHeart;
}
