import { placeLabels, type Box, type Ellipse } from "../../core/cardiac/drawing/place-labels.ts";
import type { ScreenPoint, Size } from "./view.ts";

export type Label = {
  readonly id: string;
  readonly text: string;
  readonly at: ScreenPoint;
  /** Preferred direction, of any length. */
  readonly away: ScreenPoint;
};

/** A label with its box on the stage [CSS px]. */
export type PlacedLabel = Label & Box;

/** Character width of the labels on a film [CSS px]; the font is monospaced, so text needs no measuring. */
export const labelCharPx = 6.9;
const labelHeightPx = 17;
const labelPaddingPx = 10;

/**
 * Places labels on the stage without covering the heart, each other or their points.
 *
 * @param scale  factor of the label size
 */
export function labelsOnStage(labels: readonly Label[], heart: Ellipse | null, stage: Size, scale = 1): PlacedLabel[] {
  const boxes = labels.map((label) => ({
    ...label,
    widthPx: (label.text.length * labelCharPx + labelPaddingPx) * scale,
    heightPx: labelHeightPx * scale,
  }));
  return placeLabels(boxes, heart, stage);
}
