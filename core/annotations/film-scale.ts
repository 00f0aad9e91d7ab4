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
 * Returns the scale of a film from its file, otherwise from a calibration.
 *
 * @param spacing  spacing of the film's pixels [mm]; null if the file has none
 * @param film     size of the film that `spacing` refers to [px]
 * @param picture  size of the picture that points refer to [px]
 * @returns        null without a scale; lengths are then given in pixels, never in millimetres
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

/** Converts points to millimetres; without a scale they stay in pixels. */
export function scaledPoints(points: readonly Point[], scale: FilmScale | null): readonly Point[] {
  return scale ? points.map(({ x, y }) => ({ x: x * scale.columnMm, y: y * scale.rowMm })) : points;
}

/**
 * Returns the largest of 1, 2, 5, 10, … (any power of ten) that does not exceed a length.
 *
 * @param most  any unit, > 0
 */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  // The logarithm of a value just below a power of ten may round to that power, hence the step 0.5.
  const steps = [5, 2, 1, 0.5] as const;
  return (steps.find((step) => step * power <= most) ?? 0.5) * power;
}
