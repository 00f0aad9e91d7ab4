import { AppError } from "../../core/app-error.ts";

/** Largest picture that is decoded [px]. */
export const maximumPixels = 100_000_000;
/** Shorter side of the smallest picture that can be a radiograph [px]. */
const leastSidePx = 32;
/** Longest side of a picture that can be a radiograph, in shorter sides. */
const mostSides = 8;

/** Refuses a picture that cannot be a radiograph by its size. @throws AppError INVALID_IMAGE */
export function assertRadiographShape({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }) {
  const [shorter, longer] = [Math.min(widthPx, heightPx), Math.max(widthPx, heightPx)];
  const size = `${widthPx} x ${heightPx} px`;
  if (shorter < leastSidePx)
    throw new AppError(
      "INVALID_IMAGE",
      `Image is too small: ${size}; its shorter side must be at least ${leastSidePx} px`,
    );
  if (longer > mostSides * shorter)
    throw new AppError(
      "INVALID_IMAGE",
      `Image is too narrow: ${size}; its sides may differ by at most ${mostSides} : 1`,
    );
}
