import { wholeRange, type SampleWindow } from "../../imaging/sample-window.ts";

/** Samples of the words that a frame can hold, and how many bits the largest has. */
type WordSamples = { readonly samples: Int32Array; readonly bits: number };

/** The darkest and the brightest share of a film are burnt out or unexposed. */
const percentiles = { low: 0.005, high: 0.995 } as const;
/** Grey of the brighter percentile in the films that the networks learnt from, of 255: their median. */
const usualHighGrey = 220;
/** An 8-bit picture that spans at least this share of its range was exposed for it, as a JPEG is. */
const filledShare = 0.5;

/** Window of a film without one of its own. */
export function shownWindow(levels: WordSamples, counts: Uint32Array, isShown: Int32Array): SampleWindow {
  const [low, high] = spanOf(levels, counts, isShown);
  return high > low ? { centre: (low + high) / 2, width: high - low } : wholeRange(levels.bits);
}

/** Window that a film is measured under: its own values lie in it as those of the films that the networks know. */
export function measuredWindow(
  levels: WordSamples,
  counts: Uint32Array,
  isShown: Int32Array,
  isPlainByte: boolean,
): SampleWindow {
  const [low, high] = spanOf(levels, counts, isShown);
  if (!(high > low) || (isPlainByte && high - low >= filledShare * 255)) return wholeRange(levels.bits);
  const width = ((high - low) * 255) / usualHighGrey;
  return { centre: low + width / 2, width };
}

function spanOf({ samples }: WordSamples, counts: Uint32Array, isShown: Int32Array): [low: number, high: number] {
  const histogram = new Float64Array(65_536);
  let total = 0;
  for (let word = 0; word < counts.length; word += 1) {
    if (!isShown[word]) continue;
    const [sample, count] = [samples[word] as number, counts[word] as number];
    histogram[sample] = (histogram[sample] as number) + count;
    total += count;
  }
  return [percentile(histogram, percentiles.low * total), percentile(histogram, percentiles.high * total)];
}

function percentile(histogram: Float64Array, target: number): number {
  let seen = 0;
  for (let sample = 0; sample < histogram.length; sample += 1) {
    seen += histogram[sample] as number;
    if (seen > target) return sample;
  }
  return histogram.length - 1;
}
