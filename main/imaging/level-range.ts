/** Range of levels without the darkest and the brightest half a percent of a film. */
export type LevelRange = readonly [low: number, high: number];

/** Pixels beyond these percentiles are burned out or unexposed. */
const percentiles = { low: 0.005, high: 0.995 } as const;
/** Median level of the brighter percentile in the films used in training, of 255. */
export const usualHighGrey = 220;
/** Minimum fraction of the range that an 8-bit picture must span to stay unchanged. */
const filledShare = 0.5;
/** Sample size; more pixels do not change the result. */
const samples = 60_000;

/** @param histogram  number of pixels of each level */
export function rangeOf(histogram: Float64Array): LevelRange {
  return percentilesOf(histogram, percentiles);
}

export function percentilesOf(
  histogram: Float64Array,
  { low, high }: { readonly low: number; readonly high: number },
): LevelRange {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  return [percentile(histogram, low * total), percentile(histogram, high * total)];
}

function percentile(histogram: Float64Array, target: number): number {
  let seen = 0;
  for (let level = 0; level < histogram.length; level += 1) {
    seen += histogram[level] as number;
    if (seen > target) return level;
  }
  return histogram.length - 1;
}

/** Whether an 8-bit film may stay unchanged, because it fills its range or has a single level. */
export function isFullRange([low, high]: LevelRange): boolean {
  return high - low >= filledShare * 255 || high <= low;
}

/** Maps the levels of a pale film to the usual range of the films used in training; null if they may stay unchanged. */
export function spreadLevels(grey: Uint8Array): Uint8Array | null {
  const histogram = new Float64Array(256);
  const step = Math.max(1, Math.floor(grey.length / samples));
  for (let at = 0; at < grey.length; at += step) {
    const level = grey[at] as number;
    histogram[level] = (histogram[level] as number) + 1;
  }
  const range = rangeOf(histogram);
  if (isFullRange(range)) return null;
  const [low, high] = range;
  const spread = Uint8ClampedArray.from({ length: 256 }, (_, level) => ((level - low) * usualHighGrey) / (high - low));
  return Uint8Array.from(grey, (level) => spread[level] as number);
}
