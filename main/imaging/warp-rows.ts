import type { PlaneMap } from "../../core/cardiac/plane-map.ts";
import type { ColourPixels } from "./decode-image.ts";

/**
 * Fills rows of the target from the source by a perspective, with bilinear interpolation; black outside the source.
 * This is the hot loop of rectification: coordinates advance by addition, weights are multiples of 1/256.
 *
 * @param map  maps the target as a unit square (pixel edges) to source pixels
 */
export function warpRows(
  source: ColourPixels,
  target: ColourPixels,
  map: PlaneMap,
  fromRow: number,
  toRow: number,
): void {
  const { data: from, widthPx: sourceWidth, heightPx: sourceHeight } = source;
  const { data: to, widthPx } = target;
  const [a, b, c, d, e, f, g, h] = map;
  const stepA = a / widthPx;
  const stepD = d / widthPx;
  const stepG = g / widthPx;
  const stride = sourceWidth * 3;
  const lastX = sourceWidth - 1;
  const lastY = sourceHeight - 1;
  let at = fromRow * widthPx * 3;
  for (let row = fromRow; row < toRow; row += 1) {
    const v = (row + 0.5) / target.heightPx;
    let x = 0.5 * stepA + b * v + c;
    let y = 0.5 * stepD + e * v + f;
    let w = 0.5 * stepG + h * v + 1;
    for (let column = 0; column < widthPx; column += 1, at += 3, x += stepA, y += stepD, w += stepG) {
      const sourceX = x / w;
      const sourceY = y / w;
      // Up to half a pixel beyond the border, the border pixel is used.
      if (!(sourceX > -0.5 && sourceY > -0.5 && sourceX < lastX + 0.5 && sourceY < lastY + 0.5)) continue;
      const fixedX = sourceX <= 0 ? 0 : sourceX >= lastX ? lastX << 8 : (sourceX * 256) | 0;
      const fixedY = sourceY <= 0 ? 0 : sourceY >= lastY ? lastY << 8 : (sourceY * 256) | 0;
      const rightPart = fixedX & 255;
      const lowerPart = fixedY & 255;
      const first = (fixedY >> 8) * stride + (fixedX >> 8) * 3;
      const right = first + (rightPart === 0 ? 0 : 3);
      const below = lowerPart === 0 ? 0 : stride;
      const w11 = rightPart * lowerPart;
      const w10 = (rightPart << 8) - w11;
      const w01 = (lowerPart << 8) - w11;
      const w00 = 65536 - w10 - w01 - w11;
      for (let channel = 0; channel < 3; channel += 1) {
        const top = (from[first + channel] as number) * w00 + (from[right + channel] as number) * w10;
        const bottom =
          (from[first + below + channel] as number) * w01 + (from[right + below + channel] as number) * w11;
        to[at + channel] = (top + bottom + 32768) >> 16;
      }
    }
  }
}
