import type { Point } from "../cardiac/points.ts";

type AnnotationQuantity = "length" | "area" | "angle";

/** Everything particular to one tool; code that shows, keeps, reads or draws annotations loops over these. */
export type AnnotationTool = {
  /**
   * Stored with the film and used as a key of the catalogues (`annotations.tool_<name>`, `annotations.hint_<name>`).
   */
  readonly name: string;
  /** Path of its icon on a 20 x 20 grid. */
  readonly icon: string;
  /** Its key out of the box. */
  readonly keys: string;
  readonly points: { readonly least: number; readonly most: number };
  /** Whether the annotation can have a text; the text is its label if the tool computes no quantity. */
  readonly hasText: boolean;
  /** Whether its last point carries the head of an arrow. */
  readonly hasHead: boolean;
  /**
   * The line that is drawn, in the points' own pixels; a closed one ends where it starts, one point draws no line.
   *
   * @param points  `points.least` or more
   */
  readonly outline: (points: readonly Point[]) => readonly Point[];
  readonly labelAt: (points: readonly Point[]) => Point;
  readonly quantity: AnnotationQuantity | null;
  /**
   * The value in the unit of the points: pixels or millimetres, their square for an area, degrees for an angle. null
   * for points that give no value, and for a tool that reads none.
   */
  readonly read: (points: readonly Point[]) => number | null;
};

/** The first, second, … of points of which there are enough. */
export function pointAt(points: readonly Point[], index: number): Point {
  const point = points.at(index);
  if (!point) throw new RangeError(`an annotation lacks its point ${index}`);
  return point;
}
