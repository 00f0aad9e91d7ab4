import { percentilesOf } from "../level-range.ts";

/** Samples outside these percentiles are burned-in marks and unexposed borders. */
const percentiles = { low: 0.001, high: 0.999 } as const;

/** Part of the 16 bits that a picture uses: its lowest value, and the bits above it. */
export type UsedRange = { readonly base: number; readonly bits: number };

/**
 * Finds the range of 16-bit samples that a picture uses. The highest bit of the samples counts, not that of the format;
 * if the lowest sample is in the upper half of the used values, the range starts there.
 */
export function usedRangeOf(samples: Uint16Array): UsedRange {
  const histogram = new Float64Array(65_536);
  for (const sample of samples) histogram[sample] = (histogram[sample] as number) + 1;
  const [low, high] = percentilesOf(histogram, percentiles);
  const base = low > high / 2 ? low : 0;
  return { base, bits: Math.max(8, 32 - Math.clz32(high - base)) };
}

export function eightBitsOf(samples: Uint16Array, { base, bits }: UsedRange): Uint8Array {
  const table = Uint8ClampedArray.from({ length: 65_536 }, (_, sample) =>
    Math.floor((sample - base) / 2 ** (bits - 8)),
  );
  const reduced = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) reduced[index] = table[samples[index] as number] as number;
  return reduced;
}
