import { pointAt, type AnnotationTool } from "./annotation-tool.ts";

export const note = {
  name: "note",
  icon: "M4 5.500V4h12v1.500M10 4v12M7.500 16h5",
  keys: "Shift+T",
  points: { least: 1, most: 1 },
  hasText: true,
  outline: (points) => points,
  labelAt: (points) => pointAt(points, 0),
  quantity: null,
  read: () => null,
} as const satisfies AnnotationTool;
