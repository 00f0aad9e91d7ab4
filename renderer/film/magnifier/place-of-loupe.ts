import type { ScreenPoint, Size } from "../view.ts";

/** Side of the magnified square [CSS px]. */
export const loupeSidePx = 168;
const gapPx = 28;

/**
 * Top left corner of the loupe, diagonally next to a point and inside the stage [CSS px]. Of the corners that fit, the
 * one farthest from `avoid` is chosen, else the one above to the right.
 */
export function placeOfLoupe(
  at: ScreenPoint,
  stage: Size,
  avoid: ScreenPoint | null,
): { readonly left: number; readonly top: number } {
  const sides = [gapPx, -gapPx - loupeSidePx];
  const corners = sides.flatMap((x) => sides.toReversed().map((y) => ({ left: at.x + x, top: at.y + y })));
  const isInside = ({ left, top }: { left: number; top: number }) =>
    left >= 0 && top >= 0 && left + loupeSidePx <= stage.widthPx && top + loupeSidePx <= stage.heightPx;
  const distance = ({ left, top }: { left: number; top: number }) =>
    avoid ? Math.hypot(left + loupeSidePx / 2 - avoid.x, top + loupeSidePx / 2 - avoid.y) : 0;
  const [best] = corners.filter(isInside).sort((one, other) => distance(other) - distance(one));
  return best ?? (corners[0] as { left: number; top: number });
}
