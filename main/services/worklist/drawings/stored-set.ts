import { annotationSet, type AnnotationSet } from "../../../../core/contract/desktop/annotations.ts";
import type { AnnotationRow } from "../../../store/films/annotations.ts";

/**
 * A set of drawings as the store keeps it. It names corners only where there are any: an earlier program on the same
 * database knows no such field, and could read no drawing of any film.
 */
export function storedSet({ corners, ...set }: AnnotationSet): string {
  return JSON.stringify(corners ? { ...set, corners } : set);
}

/** The set of a version. */
export function setOf({ content }: Pick<AnnotationRow, "content">): AnnotationSet {
  return annotationSet.parse(JSON.parse(content));
}
