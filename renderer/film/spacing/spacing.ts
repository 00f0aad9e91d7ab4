import type { DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { measures, type MeasureName } from "../../../core/cardiac/measures/measures.ts";
import { placedHeart } from "../../../core/cardiac/measures/placed-heart.ts";
import { lineOfMeasure, pointOfMeasure, type Segment } from "../../../core/cardiac/measures/read-measures.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import type { Draft } from "../draft/draft.ts";
import type { Size } from "../view.ts";

/** Millimetres per pixel of the film, and the plane they refer to. */
export type Spacing = NonNullable<DicomInstance["spacing"]>;

/** Lengths of the lines on which the scores are read [mm]; null if an end is missing. */
export type LineLengths = {
  readonly spacing: Spacing;
  readonly longMm: number | null;
  readonly shortMm: number | null;
  readonly measuresMm: Partial<Readonly<Record<MeasureName, number>>>;
};

/** Null if unknown, and for a rectified photograph, whose pixels differ from the file's. */
export function spacingOf({ dicom, urls }: Pick<Film, "dicom" | "urls">): Spacing | null {
  return urls.rectified === null ? (dicom?.spacing ?? null) : null;
}

/** Lengths of axes and measures' lines between points of the processed film; null without spacing. */
export function lineLengths(
  heart: Draft["heart"],
  frame: Size,
  film: Pick<Film, "dicom" | "urls"> & Size,
): LineLengths | null {
  const spacing = spacingOf(film);
  if (!spacing) return null;
  const xMm = (film.widthPx / frame.widthPx) * spacing.columnMm;
  const yMm = (film.heightPx / frame.heightPx) * spacing.rowMm;
  const lengthMm = ({ from, to }: Segment) => Math.hypot((to.x - from.x) * xMm, (to.y - from.y) * yMm);
  const between = (from: Point | null, to: Point | null) => (from && to ? lengthMm({ from, to }) : null);
  const placed = placedHeart((name) => heart[name]);
  const lines = measures.flatMap((measure) => {
    const line = placed && lineOfMeasure(measure, placed, pointOfMeasure(measure, placed));
    return line ? [[measure.name, lengthMm(line)]] : [];
  });
  return {
    spacing,
    longMm: between(heart.heart_top, heart.heart_bottom),
    shortMm: between(heart.heart_right, heart.heart_left),
    measuresMm: Object.fromEntries(lines),
  };
}
