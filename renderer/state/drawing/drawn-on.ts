import { isSameCrop, type Picture } from "../../../core/cardiac/picture-of-points.ts";
import type { Corners, PictureSize } from "../../../core/cardiac/points.ts";
import type { AnnotationSet } from "../../../core/contract/desktop/annotations.ts";

/** A picture with annotations: its size, and its corners in the photograph; null if it is the file itself. */
export type DrawnOn = PictureSize & { readonly corners: Corners | null };

type ShownOn = { readonly picture: Picture };

/** Annotations of the picture shown; null if there are none or they belong to another picture. */
export function shownDrawings(set: AnnotationSet | null, { picture }: ShownOn): AnnotationSet | null {
  return set && isSameCrop(set.corners, picture.corners) ? set : null;
}

/** Picture that a film's annotations refer to: that of existing ones, else the picture shown. */
export function drawnOn(set: AnnotationSet | null, film: ShownOn, shown: PictureSize): DrawnOn {
  const { widthPx, heightPx } = shownDrawings(set, film)?.frame ?? shown;
  return { widthPx, heightPx, corners: film.picture.corners };
}

/** Set to which a picture's next annotation is added: its existing set with the picture's corners, or an empty one. */
export function setOn({ widthPx, heightPx, corners }: DrawnOn, set: AnnotationSet | null): AnnotationSet {
  const frame = { widthPx, heightPx };
  const drawn = shownDrawings(set, { picture: { frame, corners } });
  return { ...(drawn ?? { frame, calibration: null, annotations: [] }), corners: corners && [...corners] };
}
