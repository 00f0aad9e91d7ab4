import { placeLabels, type Box, type Ellipse } from "../../core/cardiac/drawing/place-labels.ts";
import type { ScreenPoint, Size } from "./view.ts";

export type Label = {
  readonly id: string;
  readonly text: string;
  readonly at: ScreenPoint;
  /** Preferred direction, of any length. */
  readonly away: ScreenPoint;
};

/** A placed text with its box on the stage [CSS px]. */
export type PlacedLabel = Label & Box;

/** Width of a letter of a label on the film [CSS px]: the face is monospaced, so no text is measured. */
export const labelCharPx = 6.9;
const labelHeightPx = 17;
const labelPaddingPx = 10;

/**
 * Places labels on the stage clear of the heart, of each other and of their points.
 *
 * @param scale  how much larger than usual the labels are written
 */
export function labelsOnStage(labels: readonly Label[], heart: Ellipse | null, stage: Size, scale = 1): PlacedLabel[] {
  const wishes = labels.map((label) => ({
    ...label,
    widthPx: (label.text.length * labelCharPx + labelPaddingPx) * scale,
    heightPx: labelHeightPx * scale,
  }));
  return placeLabels(wishes, heart, stage);
}
