import type { Point } from "../cardiac/points.ts";

type AnnotationQuantity = "length" | "area" | "angle";

/** Descriptor of one tool. Code that shows, stores, measures or draws annotations iterates over these descriptors. */
export type AnnotationTool = {
  /** Stored with the film; part of the catalogues' keys `annotations.tool_<name>` and `annotations.hint_<name>`. */
  readonly name: string;
  /** SVG path of the icon on a 20 x 20 grid. */
  readonly icon: string;
  readonly keys: string;
  readonly points: { readonly least: number; readonly most: number };
  /** Whether the annotation can have a text, which is the label of a tool without a quantity. */
  readonly hasText?: true;
  /** Whether an arrowhead is drawn at the last point. */
  readonly hasHead?: true;
  /** Line to be drawn; a closed one ends at its first point, a single point draws none. */
  readonly outline: (points: readonly Point[]) => readonly Point[];
  readonly labelAt: (points: readonly Point[]) => Point;
  readonly quantity: AnnotationQuantity | null;
  /** Length in px or mm, area in px² or mm², angle in degrees; null if the points have no value or the tool none. */
  readonly read: (points: readonly Point[]) => number | null;
};

/** Counts from the end if negative. @throws RangeError */
export function pointAt(points: readonly Point[], index: number): Point {
  const point = points.at(index);
  if (!point) throw new RangeError(`an annotation lacks its point ${index}`);
  return point;
}
