import { isDrawnOn, type Picture } from "../../../core/cardiac/picture-of-points.ts";
import type { Corners, PictureSize } from "../../../core/cardiac/points.ts";
import type { AnnotationSet } from "../../../core/contract/desktop/annotations.ts";

/** A picture that is drawn on: its size, and where it was cut out of a photograph; null: it is the file itself. */
export type DrawnOn = PictureSize & { readonly corners: Corners | null };

type ShownOn = { readonly picture: Picture };

/** What is drawn on the picture that is shown of a film; null where nothing is, or all of it lies on another one. */
export function shownDrawings(set: AnnotationSet | null, { picture }: ShownOn): AnnotationSet | null {
  return set && isDrawnOn(set, picture) ? set : null;
}

/** What is drawn on: a film's picture in the pixels of what is drawn there, else of what is shown. */
export function drawnOn(set: AnnotationSet | null, film: ShownOn, shown: PictureSize): DrawnOn {
  const { widthPx, heightPx } = shownDrawings(set, film)?.frame ?? shown;
  return { widthPx, heightPx, corners: film.picture.corners };
}

/** What a picture's next drawing is added to: the set that lies on it, which says so by now, or an empty one. */
export function setOn({ widthPx, heightPx, corners }: DrawnOn, set: AnnotationSet | null): AnnotationSet {
  const frame = { widthPx, heightPx };
  const drawn = shownDrawings(set, { picture: { frame, corners } });
  return { ...(drawn ?? { frame, calibration: null, annotations: [] }), corners: corners && [...corners] };
}
