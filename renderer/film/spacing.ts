import type { DicomInstance } from "../../core/contract/desktop/dicom-instance.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { Point } from "../../core/cardiac/points.ts";
import type { Draft } from "./draft.ts";
import type { Size } from "./view.ts";

/** Millimetres per pixel of the film, and where these millimetres are. */
export type Spacing = NonNullable<DicomInstance["spacing"]>;

/** Lengths of the lines that the scores are read on [mm]; null where an end is missing. */
export type LineLengths = {
  readonly spacing: Spacing;
  readonly longMm: number | null;
  readonly shortMm: number | null;
  readonly vlasMm: number | null;
};

/**
 * What the file says about the pixels on the stage; null where it says nothing, and for a rectified photograph, whose
 * pixels are not the file's.
 */
export function spacingOf({ dicom, urls }: Pick<Film, "dicom" | "urls">): Spacing | null {
  return urls.rectified === null ? (dicom?.spacing ?? null) : null;
}

/** Lengths of axes and VLAS line between points of the processed film; null without spacing. */
export function lineLengths(
  heart: Draft["heart"],
  frame: Size,
  film: Pick<Film, "dicom" | "urls"> & Size,
): LineLengths | null {
  const spacing = spacingOf(film);
  if (!spacing) return null;
  const xMm = (film.widthPx / frame.widthPx) * spacing.columnMm;
  const yMm = (film.heightPx / frame.heightPx) * spacing.rowMm;
  const between = (from: Point | null, to: Point | null) =>
    from && to ? Math.hypot((to.x - from.x) * xMm, (to.y - from.y) * yMm) : null;
  return {
    spacing,
    longMm: between(heart.heart_top, heart.heart_bottom),
    shortMm: between(heart.heart_right, heart.heart_left),
    vlasMm: between(heart.heart_top, heart.VLAS),
  };
}
