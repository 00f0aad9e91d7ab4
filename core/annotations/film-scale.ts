import { distancePx, type PictureSize, type Point } from "../cardiac/points.ts";
import type { DicomInstance } from "../contract/desktop/network/dicom-instance.ts";

export type Calibration = { readonly from: Point; readonly to: Point; readonly lengthMm: number };

/** Millimetres per pixel of a picture of a film, and the kind of spacing that they come from. */
export type FilmScale = {
  readonly columnMm: number;
  readonly rowMm: number;
  readonly kind: NonNullable<DicomInstance["spacing"]>["kind"] | "calibrated";
};

/**
 * Scale of a film by the spacing in its file, otherwise by a calibration. null without either: lengths are then given
 * in pixels, never in millimetres.
 *
 * @param film     size of the film that `spacing` refers to [px]
 * @param picture  size of the picture that points refer to [px]
 */
export function filmScale(
  spacing: DicomInstance["spacing"],
  film: PictureSize,
  picture: PictureSize,
  calibration: Calibration | null,
): FilmScale | null {
  if (spacing)
    return {
      columnMm: (spacing.columnMm * film.widthPx) / picture.widthPx,
      rowMm: (spacing.rowMm * film.heightPx) / picture.heightPx,
      kind: spacing.kind,
    };
  const lengthPx = calibration ? distancePx(calibration.from, calibration.to) : 0;
  if (!calibration || lengthPx < 1) return null;
  const mm = calibration.lengthMm / lengthPx;
  return { columnMm: mm, rowMm: mm, kind: "calibrated" };
}

export function scaledPoints(points: readonly Point[], scale: FilmScale | null): readonly Point[] {
  return scale ? points.map(({ x, y }) => ({ x: x * scale.columnMm, y: y * scale.rowMm })) : points;
}

/** Largest of 1, 2, 5, 10, … (any power of ten) that does not exceed a length > 0. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  // The logarithm of a value just below a power of ten may round to that power, hence the step 0.5.
  const steps = [5, 2, 1, 0.5] as const;
  return (steps.find((step) => step * power <= most) ?? 0.5) * power;
}
