import type { MarkLabel } from "../../core/cardiac/drawing/placed-marks.ts";
import { placeLabels, type Box, type Ellipse } from "../../core/cardiac/drawing/place-labels.ts";
import type { Size } from "./view.ts";

/** A label with its box on the stage [CSS px]. */
export type PlacedLabel = MarkLabel & Box;

/** Character width of the labels on a film [CSS px]; the font is monospaced, so text needs no measuring. */
export const labelCharPx = 6.9;
const labelHeightPx = 17;
const labelPaddingPx = 10;

export function labelsOnStage(
  labels: readonly MarkLabel[],
  heart: Ellipse | null,
  stage: Size,
  scale = 1,
): PlacedLabel[] {
  const boxes = labels.map((label) => ({
    ...label,
    widthPx: (label.text.length * labelCharPx + labelPaddingPx) * scale,
    heightPx: labelHeightPx * scale,
  }));
  return placeLabels(boxes, heart, stage);
}
