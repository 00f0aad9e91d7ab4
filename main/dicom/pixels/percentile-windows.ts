import { isFullRange, rangeOf, usualHighGrey, type LevelRange } from "../../imaging/level-range.ts";
import { wholeRange, type SampleWindow } from "../../imaging/sample-window.ts";

type WordSamples = { readonly samples: Int32Array; readonly bits: number };

export function shownWindow(levels: WordSamples, counts: Uint32Array, isShown: Int32Array): SampleWindow {
  const [low, high] = spanOf(levels, counts, isShown);
  return high > low ? { centre: (low + high) / 2, width: high - low } : wholeRange(levels.bits);
}

/** Window for measuring: maps the film's values to the range of the films used in training. */
export function measuredWindow(
  levels: WordSamples,
  counts: Uint32Array,
  isShown: Int32Array,
  isPlainByte: boolean,
): SampleWindow {
  const range = spanOf(levels, counts, isShown);
  const [low, high] = range;
  if (!(high > low) || (isPlainByte && isFullRange(range))) return wholeRange(levels.bits);
  const width = ((high - low) * 255) / usualHighGrey;
  return { centre: low + width / 2, width };
}

function spanOf({ samples }: WordSamples, counts: Uint32Array, isShown: Int32Array): LevelRange {
  const histogram = new Float64Array(65_536);
  for (let word = 0; word < counts.length; word += 1) {
    if (!isShown[word]) continue;
    const sample = samples[word] as number;
    histogram[sample] = (histogram[sample] as number) + (counts[word] as number);
  }
  return rangeOf(histogram);
}
