import type { DecodedImage } from "../../imaging/decode-image.ts";

/** Part of the pixels whose colour is not that of their grey level, from which on a camera took the picture. */
const leastColoured = 0.14;
/** How far from it a pixel's two colour differences are together [levels]. */
const leastDifference = 1;
const levelsPerBin = 4;
const binCount = 256 / levelsPerBin;
/** Pixels that are looked at; more say the same. */
const samples = 60_000;

/**
 * Whether a picture has the colours of a camera. A film from a file is grey, or tinted in one way; marks on it cover
 * little. A photograph of a screen has noise, shading and the screen's lattice in its colours everywhere, also where
 * the screen's border is out of view.
 *
 * @see docs/decisions/0052-framing-of-photographs.md for what was measured
 */
export function hasCameraColours({ colour, grey }: Pick<DecodedImage, "colour" | "grey">): boolean {
  if (!colour) return false;
  const step = Math.max(1, Math.floor(grey.length / samples));
  const reds = usualDifferences(grey, step, (at) => redOf(colour, at));
  const blues = usualDifferences(grey, step, (at) => blueOf(colour, at));
  let [looked, coloured] = [0, 0];
  for (let at = 0; at < grey.length; at += step) {
    const bin = binOf(grey, at);
    const difference =
      Math.abs(redOf(colour, at) - (reds[bin] ?? 0)) + Math.abs(blueOf(colour, at) - (blues[bin] ?? 0));
    if (difference > leastDifference) coloured += 1;
    looked += 1;
  }
  return coloured >= leastColoured * looked;
}

/**
 * The mean of the middle half of the differences for each few neighbouring grey levels: coloured marks do not shift it.
 */
function usualDifferences(grey: Uint8Array, step: number, differenceAt: (at: number) => number): Float64Array {
  const found = Array.from({ length: binCount }, (): number[] => []);
  for (let at = 0; at < grey.length; at += step) found[binOf(grey, at)]?.push(differenceAt(at));
  return Float64Array.from(found, (differences) => {
    const quarter = differences.length >> 2;
    const middle = differences.sort((a, b) => a - b).slice(quarter, differences.length - quarter);
    return middle.reduce((sum, difference) => sum + difference, 0) / Math.max(1, middle.length);
  });
}

function binOf(grey: Uint8Array, at: number): number {
  return Math.floor((grey[at] ?? 0) / levelsPerBin);
}

/** Red less green. */
function redOf(colour: Uint8Array, at: number): number {
  return (colour[3 * at] ?? 0) - (colour[3 * at + 1] ?? 0);
}

/** Blue less green. */
function blueOf(colour: Uint8Array, at: number): number {
  return (colour[3 * at + 2] ?? 0) - (colour[3 * at + 1] ?? 0);
}
