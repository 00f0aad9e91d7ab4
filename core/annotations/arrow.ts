import { pointAt, type AnnotationTool } from "./annotation-tool.ts";

export const arrow = {
  name: "arrow",
  icon: "M16 16L4.500 4.500M4 10V4h6",
  keys: "Shift+V",
  points: { least: 2, most: 2 },
  hasText: true,
  hasHead: true,
  outline: (points) => points,
  labelAt: (points) => pointAt(points, 0),
  quantity: null,
  read: () => null,
} as const satisfies AnnotationTool;
