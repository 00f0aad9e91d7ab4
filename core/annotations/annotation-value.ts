import type { Point } from "../cardiac/points.ts";
import { toolOf, type Annotation, type AnnotationToolName } from "./annotation-tools.ts";
import { scaledPoints, type FilmScale } from "./film-scale.ts";

export type AnnotationUnit = "mm" | "px" | "mm²" | "px²" | "°";

/** Value of an annotation, unrounded, and the number of decimals justified by the precision of its points. */
export type AnnotationValue = { readonly value: number; readonly unit: AnnotationUnit; readonly digits: number };

export function annotationValue(
  { tool, points }: { readonly tool: AnnotationToolName; readonly points: readonly Point[] },
  scale: FilmScale | null,
): AnnotationValue | null {
  const { quantity, read } = toolOf(tool);
  const value = quantity && read(scaledPoints(points, scale));
  if (value === null) return null;
  switch (quantity) {
    case "length":
      return scale ? { value, unit: "mm", digits: 1 } : { value, unit: "px", digits: 0 };
    case "area":
      return scale ? { value, unit: "mm²", digits: 0 } : { value, unit: "px²", digits: 0 };
    case "angle":
      return { value, unit: "°", digits: 1 };
    case null:
      return null;
    default:
      return quantity satisfies never;
  }
}

/** Value or text; a dash for points without a value, empty without either. */
export function annotationLabel(
  annotation: Omit<Annotation, "id">,
  scale: FilmScale | null,
  write: (value: number, digits: number) => string,
): string {
  const found = annotationValue(annotation, scale);
  if (found) return `${write(found.value, found.digits)}${found.unit === "°" ? "" : " "}${found.unit}`;
  return toolOf(annotation.tool).quantity ? "—" : annotation.text;
}
