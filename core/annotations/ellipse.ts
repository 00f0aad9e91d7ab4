import { distancePx, interpolate, type Point } from "../cardiac/points.ts";
import { pointAt, type AnnotationTool } from "./annotation-tool.ts";

/** Vertices of the drawn polygon, enough to look round on a screen. */
const corners = 72;

/** Area of an ellipse, given by both ends of one axis and a point at the height of the other. */
export const ellipse = {
  name: "ellipse",
  icon: "M10 5.500c4.400 0 7.500 2 7.500 4.500s-3.100 4.500-7.500 4.500S2.500 12.500 2.500 10s3.100-4.500 7.500-4.500z",
  keys: "Shift+E",
  points: { least: 3, most: 3 },
  outline: (points) => {
    const { centre, along, across } = halves(points);
    return Array.from({ length: corners + 1 }, (_, index) => {
      const turn = (2 * Math.PI * index) / corners;
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      return { x: centre.x + along.x * cos + across.x * sin, y: centre.y + along.y * cos + across.y * sin };
    });
  },
  labelAt: (points) => pointAt(points, 1),
  quantity: "area",
  read: (points) => {
    const { along, across } = halves(points);
    const area = Math.PI * Math.hypot(along.x, along.y) * Math.hypot(across.x, across.y);
    return area > 0 ? area : null;
  },
} as const satisfies AnnotationTool;

/** Half axes as vectors. Only the distance of the third point from the first axis matters. */
function halves(points: readonly Point[]): { readonly centre: Point; readonly along: Point; readonly across: Point } {
  const [from, to, side] = [pointAt(points, 0), pointAt(points, 1), pointAt(points, 2)];
  const centre = interpolate(from, to, 0.5);
  const along = { x: to.x - centre.x, y: to.y - centre.y };
  const halfLong = distancePx(centre, to);
  if (halfLong === 0) return { centre, along, across: { x: 0, y: 0 } };
  const unit = { x: -along.y / halfLong, y: along.x / halfLong };
  const reach = (side.x - centre.x) * unit.x + (side.y - centre.y) * unit.y;
  return { centre, along, across: { x: unit.x * reach, y: unit.y * reach } };
}
