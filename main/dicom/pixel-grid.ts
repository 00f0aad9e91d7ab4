import type { PictureSize } from "../../core/cardiac/points.ts";
import { AppError, because } from "../../core/app-error.ts";
import { maximumPixels } from "../imaging/picture-shape.ts";
import type { DicomElements, ElementValues } from "./elements/dicom-elements.ts";

export type PixelSpacing = {
  readonly rowMm: number;
  readonly columnMm: number;
  readonly kind: "pixel" | "imager" | "magnification-corrected";
};

/** Above the pixel aspect of any detector; a larger one indicates a damaged file. */
const maxAspect = 8;
/** Deviation from square pixels that is invisible on a film. */
const tolerance = 0.0005;

/** Calibrated spacing, else the detector's, corrected by the stated magnification. @see DICOM PS3.3 10.7.1.3 */
function statedSpacing(file: ElementValues): PixelSpacing | null {
  const [pixel, imager] = [pairMm(file, "00280030"), pairMm(file, "00181164")];
  const isCalibrated =
    pixel !== null &&
    (file.has("00280A02") || imager === null || pixel.rowMm !== imager.rowMm || pixel.columnMm !== imager.columnMm);
  if (isCalibrated) return { ...pixel, kind: "pixel" };
  if (imager === null) return null;
  const magnification = file.number("00181114") ?? 0;
  if (magnification < 1) return { ...imager, kind: "imager" };
  return {
    rowMm: imager.rowMm / magnification,
    columnMm: imager.columnMm / magnification,
    kind: "magnification-corrected",
  };
}

/**
 * Height of a stored pixel divided by its width. @see DICOM PS3.3 C.7.6.3.1.7
 *
 * @throws AppError INVALID_DICOM for an impossible aspect
 */
export function pixelAspect(file: ElementValues): number {
  const spacing = statedSpacing(file) ?? pairMm(file, "00182010");
  const [vertical = 0, horizontal = 0] = spacing ? [spacing.rowMm, spacing.columnMm] : file.numbers("00280034");
  const aspect = vertical > 0 && horizontal > 0 ? vertical / horizontal : 1;
  if (aspect > maxAspect || aspect < 1 / maxAspect)
    throw new AppError(
      "INVALID_DICOM",
      because("dicomPixelsTooLong", { vertical: `${vertical}`, horizontal: `${horizontal}` }),
    );
  return Math.abs(aspect - 1) <= tolerance ? 1 : aspect;
}

/** Attributes that determine the pixel aspect; the first usable one counts. */
const shapeTags = ["00280030", "00181164", "00182010", "00280034"] as const;

export function isShapeDoubtful(file: DicomElements): boolean {
  const deciding = shapeTags.find((tag) => pairMm(file, tag) !== null);
  const passed = deciding === undefined ? shapeTags : shapeTags.slice(0, shapeTags.indexOf(deciding));
  return passed.some((tag) => isPairUnusable(file, tag));
}

export function isPairUnusable(file: DicomElements, tag: string): boolean {
  return pairMm(file, tag) === null && (file.isUnreadable(tag) || file.numbers(tag).length > 0);
}

/** Size with square pixels. Enlarges the coarser direction, to lose no detail, unless that exceeds `maximumPixels`. */
export function squareSize({ widthPx, heightPx }: PictureSize, aspect: number): PictureSize {
  const isTall = aspect > 1;
  const size = isTall
    ? { widthPx, heightPx: Math.round(heightPx * aspect) }
    : { widthPx: Math.round(widthPx / aspect), heightPx };
  if (size.widthPx * size.heightPx <= maximumPixels) return size;
  return isTall
    ? { widthPx: Math.max(1, Math.round(widthPx / aspect)), heightPx }
    : { widthPx, heightPx: Math.max(1, Math.round(heightPx * aspect)) };
}

export function squareSpacing(file: ElementValues, stored: PictureSize | null): PixelSpacing | null {
  const spacing = statedSpacing(file);
  if (spacing === null || stored === null) return spacing;
  const square = squareSize(stored, pixelAspect(file));
  return {
    ...spacing,
    rowMm: (spacing.rowMm * stored.heightPx) / square.heightPx,
    columnMm: (spacing.columnMm * stored.widthPx) / square.widthPx,
  };
}

function pairMm(file: ElementValues, tag: string): { readonly rowMm: number; readonly columnMm: number } | null {
  const [rowMm = 0, columnMm = 0] = file.numbers(tag);
  return rowMm > 0 && columnMm > 0 ? { rowMm, columnMm } : null;
}
