import { middleOfAxes, type AxisEnds } from "../../../core/cardiac/landmarks.ts";
import { distancePx } from "../../../core/cardiac/points.ts";
import { frameAt, middleOf, type NetworkFrame } from "./landmark-frames.ts";

/**
 * Frame of a heart's close-up: the carina above, the apex below, the cranial border on the left, and every heart at the
 * same size: `share` is the mean of both axes as a fraction of the side. null if the long axis has no length.
 */
export function heartFrame(heart: AxisEnds, side: number, share: number): NetworkFrame | null {
  const { heart_top: top, heart_bottom: bottom, heart_right: cranial, heart_left: caudal } = heart;
  const longPx = distancePx(top, bottom);
  if (!(longPx > 0)) return null;
  const scale = (2 * share * side) / (longPx + distancePx(cranial, caudal));
  const down = { x: (bottom.x - top.x) / longPx, y: (bottom.y - top.y) / longPx };
  const isMirrored = (caudal.x - cranial.x) * down.y - (caudal.y - cranial.y) * down.x < 0;
  const right = isMirrored ? { x: -down.y, y: down.x } : { x: down.y, y: -down.x };
  const matrix = [scale * right.x, scale * right.y, scale * down.x, scale * down.y] as const;
  return frameAt(matrix, middleOfAxes([heart]), middleOf(side));
}
