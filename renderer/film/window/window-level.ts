/** Grey window in fractions of the film's range: `centre` is shown as middle grey, `width` spans black to white. */
export type GreyWindow = { readonly centre: number; readonly width: number };

export const wholeRange: GreyWindow = { centre: 0.5, width: 1 };

const narrowest = 1 / 512;
const widest = 4;

/** Applies a window shared by several films to one of them, relative to that film's initial window. */
export function windowWithin(own: GreyWindow, shared: GreyWindow): GreyWindow {
  return { centre: own.centre + (shared.centre - wholeRange.centre) * own.width, width: own.width * shared.width };
}

export function shadeOf(sample: number, window: GreyWindow, isInverted: boolean): number {
  const shade = Math.min(1, Math.max(0, (sample - window.centre) / window.width + 0.5));
  return isInverted ? 1 - shade : shade;
}

/** Right widens the window, down darkens. @param byX, byY  drag in fractions of the stage's width and height */
export function windowAfterDrag(start: GreyWindow, byX: number, byY: number): GreyWindow {
  const pace = Math.max(0.15, start.width);
  const width = Math.min(widest, Math.max(narrowest, start.width + byX * pace));
  const centre = Math.min(1.5, Math.max(-0.5, start.centre + byY * pace));
  return { centre, width };
}

/** Percentiles, so that overexposed borders have no influence. @returns the whole range for a film of one grey */
export function automaticWindow(histogram: Uint32Array, lowShare = 0.01, highShare = 0.995): GreyWindow {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return wholeRange;
  const low = percentileBin(histogram, total * lowShare) / histogram.length;
  const high = (percentileBin(histogram, total * highShare) + 1) / histogram.length;
  // All samples share one bin, so there is no contrast to spread.
  if (high - low <= 1 / histogram.length) return wholeRange;
  return { centre: (low + high) / 2, width: high - low };
}

function percentileBin(histogram: Uint32Array, target: number): number {
  let seen = 0;
  for (const [bin, count] of histogram.entries()) {
    seen += count;
    if (seen >= target) return bin;
  }
  return histogram.length - 1;
}
