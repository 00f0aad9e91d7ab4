import { distancePx } from "../cardiac/points.ts";
import { pointAt, type AnnotationTool } from "./annotation-tool.ts";

export const length = {
  name: "length",
  icon: "M4 16L16 4M2.500 14.500l3 3M14.500 2.500l3 3",
  keys: "Shift+D",
  points: { least: 2, most: 2 },
  outline: (points) => points,
  labelAt: (points) => pointAt(points, 1),
  quantity: "length",
  read: (points) => distancePx(pointAt(points, 0), pointAt(points, 1)),
} as const satisfies AnnotationTool;
