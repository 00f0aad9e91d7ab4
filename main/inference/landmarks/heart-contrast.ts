import type { HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import { interpolate } from "../../../core/cardiac/points.ts";
import { median } from "../../../core/median.ts";

/** Ellipses over the axes [fractions of their half lengths]: inside the heart, and around it. */
const shells = { heart: 0.7, aroundFrom: 1.2, aroundTo: 1.7 } as const;
/** Sampling distance in a view [px]. */
const stepPx = 4;

/**
 * Brightness of the heart in a view relative to its surroundings, mostly lung, as the difference of the medians: above
 * 0 on a film, below 0 on a negative; 0 if the heart or its surroundings are outside the view.
 */
export function heartContrast(view: Float32Array, side: number, heart: HeartLandmarks): number {
  const { heart_top, heart_bottom, heart_right, heart_left } = heart;
  const centre = interpolate(interpolate(heart_top, heart_bottom, 0.5), interpolate(heart_right, heart_left, 0.5), 0.5);
  const long = { x: (heart_bottom.x - heart_top.x) / 2, y: (heart_bottom.y - heart_top.y) / 2 };
  const short = { x: (heart_right.x - heart_left.x) / 2, y: (heart_right.y - heart_left.y) / 2 };
  const area = long.x * short.y - long.y * short.x;
  const inside: number[] = [];
  const around: number[] = [];
  for (let row = 0; row < side; row += stepPx) {
    for (let column = 0; column < side; column += stepPx) {
      const x = column - centre.x;
      const y = row - centre.y;
      // Squared distance from the centre in half axes: 1 on the ellipse, NaN if the axes are parallel.
      const square = ((x * short.y - y * short.x) / area) ** 2 + ((long.x * y - long.y * x) / area) ** 2;
      if (square < shells.heart ** 2) inside.push(view[row * side + column] as number);
      else if (square > shells.aroundFrom ** 2 && square < shells.aroundTo ** 2)
        around.push(view[row * side + column] as number);
    }
  }
  return inside.length > 0 && around.length > 0 ? median(inside) - median(around) : 0;
}
