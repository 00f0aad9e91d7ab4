import { annotationSet, type AnnotationSet } from "../../../../core/contract/desktop/annotations.ts";
import type { AnnotationRow } from "../../../store/films/annotations.ts";

/**
 * Serializes annotations. `corners` is omitted if null, since an earlier program version on the same database rejects
 * the field and could not read annotations of any film.
 */
export function storedSet({ corners, ...set }: AnnotationSet): string {
  return JSON.stringify(corners ? { ...set, corners } : set);
}

export function setOf({ content }: Pick<AnnotationRow, "content">): AnnotationSet {
  return annotationSet.parse(JSON.parse(content));
}
