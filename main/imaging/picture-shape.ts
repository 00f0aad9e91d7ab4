import { AppError } from "../../core/app-error.ts";

export const maximumPixels = 100_000_000;
const minSidePx = 32;
const maxSideRatio = 8;

/** Rejects a picture whose size is impossible for a radiograph. @throws AppError INVALID_IMAGE */
export function assertRadiographShape({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }) {
  const [shorter, longer] = [Math.min(widthPx, heightPx), Math.max(widthPx, heightPx)];
  const size = `${widthPx} x ${heightPx} px`;
  if (shorter < minSidePx)
    throw new AppError(
      "INVALID_IMAGE",
      `Image is too small: ${size}; its shorter side must be at least ${minSidePx} px`,
    );
  if (longer > maxSideRatio * shorter)
    throw new AppError(
      "INVALID_IMAGE",
      `Image is too narrow: ${size}; its sides may differ by at most ${maxSideRatio} : 1`,
    );
}
